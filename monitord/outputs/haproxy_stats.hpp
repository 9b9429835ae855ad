#pragma once

// The answer to `show stat` on HAProxy's stats socket: CSV with a header that names the columns
// (section 9.1 of its management manual). Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/outputs/pool_table.hpp"

namespace lvs::monitord {

/// Servers of all proxies (type 4), and nothing else.
inline constexpr std::string_view stats_command = "show stat -1 4 -1\n";
/// Some 500 bytes a server: more is no answer of HAProxy's.
inline constexpr std::size_t longest_stats = std::size_t{16} << 20U;

/// A row about one server.
struct ServerStats {
  std::string backend{}, server{};
  PoolCounters counters{};                ///< scur, stot, bin
  std::optional<std::uint32_t> weight{};  ///< the effective one; empty: not said
  std::string status{};                   ///< "UP", "DRAIN", "MAINT"; may be empty

  friend bool operator==(const ServerStats&, const ServerStats&) = default;
};

/// Rows that are cut off or whose numbers are none are left out, and so are those of frontends and
/// whole backends. The error is one line: there is no header, or it lacks a column.
tl::expected<std::vector<ServerStats>, std::string> stats_from_csv(std::string_view text);

}  // namespace lvs::monitord
