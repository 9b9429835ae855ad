#include "monitord/seat.hpp"

#include <algorithm>
#include <cmath>

#include "loadcalc/boundary.hpp"
#include "loadcalc/quantise.hpp"
#include "loadcalc/scheduler.hpp"
#include "monitord/guards.hpp"
#include "monitord/learning.hpp"
#include "monitord/reasons.hpp"

namespace lvs::monitord {
namespace {

const Reading* reading_of(const PoolContext& context, const ipvs::IpAddress& address) {
  auto const found = context.seen.readings.find(address);
  return found == context.seen.readings.end() ? nullptr : &found->second;
}

std::string server_name(const Config& config, const ipvs::IpAddress& address) {
  auto const found = config.servers.find(address);
  if (found != config.servers.end() && found->second.name) return *found->second.name;
  return ipvs::string_from_ip_address(address);
}

void describe_reading(Seat& seat, const Reading& reading, const PoolContext& context) {
  auto& verdict = seat.verdict;
  verdict.age_s = std::chrono::duration<double>(context.seen.now - reading.taken).count();
  verdict.cpu_busy = reading.cpu_busy;
  verdict.mem_available = reading.mem_available;
  verdict.further = reading.further;
  seat.verdict.asks_drain = reading.draining;
  seat.measures = usable_measures(&reading, context.seen.now, context.config);
  if (!seat.measures) return;
  auto const& policy = context.policy;
  auto const& shares =
      policy.strategy == StrategyKind::headroom ? policy.headroom.shares : policy.capacity.shares;
  verdict.composite = loadcalc::composite_load(*seat.measures, shares);
}

/// B in weight units. sh and mh rebuild their tables with every edit, and clients move: twice B.
double boundary_of(const PoolContext& context, std::uint32_t weight) {
  auto const use = loadcalc::weight_use(context.sighting.service->scheduler);
  auto const width = loadcalc::boundary_width(context.policy.boundary, weight);
  return use == loadcalc::WeightUse::hash_slots ? 2 * width : width;
}

std::uint32_t persistence_of(const ipvs::Service& service) {
  return (service.flags & ipvs::service_flag::persistent) != 0 ? service.timeout_s : 0;
}

Seat seat_from_sighting(const Sighting& sighting, const PoolContext& context) {
  auto const& kernel = *sighting.kernel;
  auto const& known = context.service.destinations.at(kernel.key);
  Seat seat;
  seat.sighting = &sighting;
  auto& verdict = seat.verdict;
  verdict.service = context.sighting.service->key;
  verdict.destination = kernel.key;
  verdict.scheduler = context.sighting.service->scheduler;
  verdict.persistent_s = persistence_of(*context.sighting.service);
  verdict.strategy = context.policy.strategy;
  verdict.server = server_name(context.config, kernel.key.address);
  verdict.forwarding = kernel.forwarding;
  verdict.base = known.base;
  verdict.current = kernel.weight;
  verdict.own_zero = known.own_zero;
  verdict.boundary = boundary_of(context, kernel.weight);
  verdict.new_connections = sighting.new_connections;
  verdict.completed = sighting.completed;
  verdict.active = kernel.active_connections;
  verdict.inactive = kernel.inactive_connections;
  auto const* const reading = reading_of(context, kernel.key.address);
  verdict.reading = reading_state(reading, context.seen.now, known.first_seen, context.config);
  if (reading != nullptr) describe_reading(seat, *reading, context);
  auto const response = context.seen.responses.find({verdict.service, verdict.destination});
  if (response != context.seen.responses.end()) verdict.further.response_s = response->second;
  return seat;
}

void fill_input(Seats& seats) {
  std::vector<std::uint64_t> counts;
  for (auto const& seat : seats) {
    if (seat.verdict.current > 0) counts.push_back(seat.verdict.new_connections);
  }
  auto const input = loadcalc::input_index(counts);
  auto next = input.begin();
  for (auto& seat : seats) {
    if (seat.verdict.current > 0) seat.verdict.input = *next++;
  }
}

}  // namespace

Seats seats_from_sighting(const PoolContext& context) {
  Seats seats;
  seats.reserve(context.sighting.destinations.size());
  for (auto const& sighting : context.sighting.destinations) {
    seats.push_back(seat_from_sighting(sighting, context));
  }
  fill_input(seats);
  return seats;
}

void settle(Seat& seat, Outcome outcome) {
  seat.verdict.outcome = outcome;
  seat.verdict.reason.clear();
  seat.settled = true;
}

void settle_rest(Seats& seats, Outcome outcome) {
  for (auto& seat : seats) {
    if (!seat.settled) settle(seat, outcome);
  }
}

bool propose(Seat& seat, std::uint32_t target) {
  auto& verdict = seat.verdict;
  verdict.target = target;
  auto const change = static_cast<double>(target) - static_cast<double>(verdict.current);
  if (!(std::abs(change) > verdict.boundary)) return false;
  verdict.write = target;
  return true;
}

void settle_within_boundary(Seat& seat) {
  bool const same = seat.verdict.target == seat.verdict.current;
  settle(seat, same ? Outcome::unchanged : Outcome::within_boundary);
}

std::uint32_t base_among(const Seats& seats, const Seat& member, const Policy& policy) {
  std::vector<std::uint32_t> current;
  std::vector<std::uint32_t> bases;
  for (auto const& seat : seats) {
    if (seat.verdict.current == 0 || seat.verdict.reading != ReadingState::fresh) continue;
    // What a person pinned says nothing about the others.
    if (seat.settled && seat.verdict.outcome == Outcome::pinned) continue;
    current.push_back(seat.verdict.current);
    bases.push_back(std::max(1U, seat.verdict.base));
  }
  auto const base = std::clamp(member.verdict.base, policy.weights.min, policy.weights.max);
  auto const scaled = loadcalc::base_at_scale(base, current, bases, policy.weights);
  bool const same_scale = scaled <= 2 * base && base <= 2 * scaled;
  return same_scale ? base : scaled;
}

std::size_t weighted_count(const Seats& seats) {
  return static_cast<std::size_t>(
      std::ranges::count_if(seats, [](const Seat& s) { return s.verdict.current > 0; }));
}

bool is_silent(const Seat& seat) {
  return seat.verdict.reading != ReadingState::fresh;
}

bool is_frozen(const Seats& seats) {
  auto const silent = static_cast<std::size_t>(std::ranges::count_if(
      seats, [](const Seat& s) { return s.verdict.current > 0 && is_silent(s); }));
  return 2 * silent > weighted_count(seats);
}

}  // namespace lvs::monitord
