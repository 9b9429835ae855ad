#pragma once

// What must survive a restart so that base weights never drift (law 7), and its journal as text.
// Pure: the file is in state_journal.hpp.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ipvs/types.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

struct DestinationId {
  ipvs::ServiceKey service{};
  ipvs::DestinationKey destination{};

  friend auto operator<=>(const DestinationId&, const DestinationId&) = default;
};

struct RememberedDestination {
  std::uint32_t base{};                     ///< 0: not yet known
  bool base_configured{};                   ///< the base came from the configuration
  std::uint32_t weight{};                   ///< last seen or written
  std::optional<std::uint32_t> intended{};  ///< a write whose end is not recorded

  friend bool operator==(const RememberedDestination&, const RememberedDestination&) = default;
};
using Remembered = std::map<DestinationId, RememberedDestination>;

/// A weight that is about to be written.
struct Intent {
  DestinationId id{};
  std::uint32_t to{};
};

Remembered remembered_from_state(const State& state);

/// Puts back what is remembered about each destination of `table` that `state` does not know yet,
/// and takes it out of `remembered`. A kernel weight equal to `weight` or `intended` is then ours;
/// any other one is a foreign writer's, as decide() finds by itself. `first_seen` stays zero, which
/// tells decide() that the counters were not kept. What is not in the table stays in `remembered`:
/// a dump is not a snapshot, and a service may be created long after the daemon.
void restore_seen(State& state, Remembered& remembered, std::span<const ipvs::ServiceEntry> table);

// The journal: a header line, then one JSON object a line; the last word about a destination wins.
//   {"monitord_journal":1}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","base":10,"weight":8}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","intend":7}
//   {"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","forget":true}
// A known line may add "configured":true and "intended":7.

std::string journal_header();
std::string journal_line_known(const DestinationId& id, const RememberedDestination& known);
std::string journal_line_intent(const DestinationId& id, std::uint32_t to);
std::string journal_line_forget(const DestinationId& id);

/// Lines that lead from `recorded` to `now`; empty when nothing changed.
std::string journal_lines_between(const Remembered& recorded, const Remembered& now);

/// A whole journal of its own: the header and one known line each.
std::string journal_text(const Remembered& remembered);

struct JournalContent {
  enum class Fault {
    none,
    newer_version,  ///< written by a later monitord
    corrupt,        ///< a complete line that is no journal line
  };
  Fault fault{Fault::none};
  std::size_t line{};  ///< 1-based, of the fault
  Remembered remembered{};
};

/// Reads a journal. An incomplete last line (a kill in the middle of a write) is dropped without
/// fault; an empty text is an empty journal.
JournalContent journal_from_text(std::string_view text);

}  // namespace lvs::monitord
