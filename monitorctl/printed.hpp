#pragma once

// What a command leaves behind: its texts and its exit status. Only main prints.

#include <string>
#include <utility>

#include "cli/exit_status.hpp"

namespace lvs::monitorctl {

/// `check` has those of a plugin instead.
namespace exit_status {
using namespace cli::exit_status;
inline constexpr int different = 1;  ///< diff: the tables differ; nothing else ends with 1 there
inline constexpr int trouble = 2;    ///< diff: what would be 1 elsewhere, as with diff(1)
}  // namespace exit_status

struct Printed {
  std::string out{};  ///< to stdout, as it is
  std::string err{};  ///< to stderr
  int status{exit_status::ok};

  friend bool operator==(const Printed&, const Printed&) = default;
};

/// "monitorctl: MESSAGE\n" on stderr.
inline Printed failed_with(int status, const std::string& message) {
  return {"", "monitorctl: " + message + "\n", status};
}

}  // namespace lvs::monitorctl
