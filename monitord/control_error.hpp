#pragma once

#include <string>

namespace lvs::monitord {

/// Why a request is refused, and what would have worked.
struct ControlError {
  std::string message{};
  std::string hint{};  ///< may be empty

  friend bool operator==(const ControlError&, const ControlError&) = default;
};

}  // namespace lvs::monitord
