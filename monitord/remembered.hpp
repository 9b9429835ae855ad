#pragma once

// What must survive a restart: bases, so that they never drift (law 7), zeros of monitord's own,
// what people ordered, and what was learned. Pure: the file is in state_journal.hpp, its text in
// journal_text.hpp.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "ipvs/types.hpp"
#include "monitord/decision.hpp"
#include "monitord/orders.hpp"

namespace lvs::monitord {

struct RememberedDestination {
  std::uint32_t base{};                     ///< 0: not yet known
  bool base_configured{};                   ///< the base came from the configuration
  std::uint32_t weight{};                   ///< last seen or written
  std::optional<std::uint32_t> intended{};  ///< a write whose end is not recorded
  std::optional<ZeroCause> own_zero{};      ///< a 0 as `weight` or `intended` is monitord's own
  bool overridden{};                        ///< DestinationState::zero_overridden

  friend bool operator==(const RememberedDestination&, const RememberedDestination&) = default;
};
using Remembered = std::map<DestinationId, RememberedDestination>;

struct LearnedServer {
  loadcalc::ServerModel model{};
  double at{};  ///< seconds since the epoch: when its work was last learned from

  friend bool operator==(const LearnedServer&, const LearnedServer&) = default;
};

/// What was learned, as another monitord can use it, too.
struct Learned {
  std::map<ipvs::IpAddress, LearnedServer> servers{};
  std::map<ipvs::ServiceKey, double> ratio_exponents{};  ///< > 0

  friend bool operator==(const Learned&, const Learned&) = default;
};

struct Memory {
  /// Of the kernel whose table `destinations` speaks of (/proc/sys/kernel/random/boot_id); empty:
  /// unknown.
  std::string boot{};
  Remembered destinations{};
  Learned learned{};
  Orders orders{};

  friend bool operator==(const Memory&, const Memory&) = default;
};

/// A weight that is about to be written.
struct Intent {
  DestinationId id{};
  std::uint32_t to{};
  std::optional<ZeroCause> zero{};  ///< with `to` 0
};

Remembered remembered_from_state(const State& state);

/// Of the servers that taught something. `wall_time` is that of `now`, in seconds.
Learned learned_from_state(const State& state, Moment now, double wall_time);

/// Puts back what is remembered about each destination of `table` that `state` does not know yet,
/// and takes it out of `remembered`. A kernel weight equal to `weight` or `intended` is then ours;
/// any other one is a foreign writer's, as decide() finds by itself. `first_seen` stays zero, which
/// tells decide() that the counters were not kept. What is not in the table stays in `remembered`:
/// a dump is not a snapshot, and a service may be created long after the daemon.
void restore_seen(State& state, Remembered& remembered, std::span<const ipvs::ServiceEntry> table);

/// Lessons older than this say little about a server: it learns anew.
inline constexpr double learned_for_s = 3600;

/// Takes over, and out of `learned`, what it knows about the servers and services of `table`, where
/// that is younger than what `state` knows and not older than learned_for_s. How many servers that
/// were.
std::size_t take_learned(State& state, Learned& learned, std::span<const ipvs::ServiceEntry> table,
                         Moment now, double wall_time);

/// Of what is not in the table: whoever adds it again at 0 means that (law 1). Bases are kept.
void forget_zeros_of_absent(Remembered& remembered);

/// A table does not survive a reboot: of another boot only lessons and orders count. Zeros of that
/// time are nobody's now.
void forget_other_boot(Memory& memory, const std::string& boot);

}  // namespace lvs::monitord
