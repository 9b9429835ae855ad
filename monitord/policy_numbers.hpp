#pragma once

// The numbers of relief and of the strategies as monitord.yaml names them: one table for reading
// them and for telling what a reload changes.

#include <string_view>
#include <vector>

#include "monitord/config.hpp"

namespace lvs::monitord {

/// A number of a policy: its key, its bounds, and where it is.
struct PolicyNumber {
  std::string_view key{};
  double min{}, max{};
  double* value{};
};

/// The numbers of one map of monitord.yaml: `feedback:`, or `coefficients:` within it.
struct PolicyMap {
  std::string_view section{};  ///< "guards", or a strategy
  std::string_view within{};   ///< "coefficients"; empty: in the section's own map
  bool sums_up_to_1{};
  std::vector<PolicyNumber> numbers{};
};

/// All of them; the pointers lead into `policy`.
std::vector<PolicyMap> policy_maps(Policy& policy);

}  // namespace lvs::monitord
