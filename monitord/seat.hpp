#pragma once

// A destination on its way through the rules of one cycle.

#include <cstdint>
#include <optional>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {

/// What decide() knows about one service when it comes to decide it.
struct PoolContext {
  const ServiceSighting& sighting;
  const ServiceState& service;  ///< after tracking
  const State& state;           ///< after learning
  const Observations& seen;
  const Config& config;
  const Policy& policy;
};

struct Seat {
  const Sighting* sighting{};
  Verdict verdict{};
  std::optional<loadcalc::Measures> measures{};
  bool settled{};  ///< has its outcome: not steered any more
  bool urgent{};   ///< a cut that does not wait for min_write_interval
};
using Seats = std::vector<Seat>;

/// One seat per destination, with everything in its verdict but target, write and outcome.
Seats seats_from_sighting(const PoolContext& context);

/// Gives the seat its outcome and the reason for it.
void settle(Seat& seat, Outcome outcome);

/// The same for all that have none yet.
void settle_rest(Seats& seats, Outcome outcome);

/// A write of `target` if it is worth one; true when it is.
bool propose(Seat& seat, std::uint32_t target);

/// For a target that was not worth a write: unchanged or within_boundary.
void settle_within_boundary(Seat& seat);

/// The base weight of a member, or what it means in a pool whose members that answer stand at
/// another scale altogether: a base of 1 put back among 10:20:40 would be a drain.
std::uint32_t base_among(const Seats& seats, const Seat& member, const Policy& policy);

/// Destinations that take part: kernel weight > 0.
std::size_t weighted_count(const Seats& seats);

bool is_silent(const Seat& seat);

/// More than half of the destinations with weight > 0 say nothing: we are half blind.
bool is_frozen(const Seats& seats);

}  // namespace lvs::monitord
