#pragma once

// What is different between two tables: services and destinations that only one of them has, and
// settings that are others. Connections and counters do not count. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// "weight", "100", "88". Of what only one table has, the other text is empty.
struct SettingChange {
  std::string name{}, from{}, to{};

  friend bool operator==(const SettingChange&, const SettingChange&) = default;
};

struct Difference {
  enum class Kind { removed, added, changed };
  Kind kind{};
  ipvs::ServiceKey service{};
  std::optional<ipvs::DestinationKey> destination{};  ///< empty: the service itself
  /// Those that differ; of what was removed or added those that are not as by default.
  std::vector<SettingChange> settings{};

  friend bool operator==(const Difference&, const Difference&) = default;
};

enum class Weights { compared, left_out };

/// In the order of `from`, each service before its destinations; services that only `to` has come
/// last.
std::vector<Difference> differences(std::span<const ipvs::ServiceEntry> from,
                                    std::span<const ipvs::ServiceEntry> to, Weights weights);

/// A line each: "- tcp 10.9.9.9:80 10.0.0.11:80: forwarding Masq, weight 3" for what is gone, "+ …"
/// for what is new, "~ tcp 10.9.9.9:80 10.0.0.12:80: weight 5 -> 7" for what changed. Above them
/// "--- FROM" and "+++ TO". Empty without differences.
std::string difference_text(std::span<const Difference> all, const std::string& from,
                            const std::string& to);

}  // namespace lvs::monitorctl
