#pragma once

// The file of `monitorctl ahp`: criteria and how much more each matters than each other.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "loadcalc/ahp.hpp"

namespace lvs::monitorctl {

struct Judgements {
  std::vector<std::string> criteria{};
  loadcalc::JudgementMatrix matrix{};  ///< free of problems, as large as `criteria`

  friend bool operator==(const Judgements&, const Judgements&) = default;
};

/// From
///     criteria: [cpu, memory, disk]
///     matrix:
///       - [1, 3, 5]
///       - [1/3, 1, 2]
///       - [1/5, 1/2, 1]
/// Numbers may be fractions. The error has every problem with its line; `file` is its name there.
tl::expected<Judgements, std::string> judgements_from_yaml(std::string text, std::string file);

}  // namespace lvs::monitorctl
