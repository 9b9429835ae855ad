#include "monitord/replay.hpp"

#include <chrono>

#include "monitord/decide.hpp"

namespace lvs::monitord {
namespace {

/// decide() takes the moment 0 for "never", and a recording may begin there.
constexpr Moment first_moment = std::chrono::hours{1};
/// Times of a clock of many days come back this exact: two readings nearer than that are one.
constexpr Moment same_moment = std::chrono::microseconds{1};
constexpr unsigned absences_to_forget = 2;

std::vector<Applied> applied_in_full(const Plan& plan) {
  std::vector<Applied> applied;
  for (const auto& service : plan) {
    for (const auto& change : service.changes) {
      applied.push_back({service.service, change, Applied::Result::written, {}});
    }
  }
  return applied;
}

bool knows(const State& state, const DestinationId& id) {
  const auto service = state.services.find(id.service);
  return service != state.services.end() && service->second.destinations.contains(id.destination);
}

}  // namespace

void ShadowWeights::put_into(std::vector<ipvs::ServiceEntry>& table, const WeightsById& written) {
  for (auto& entry : table) {
    for (auto& destination : entry.destinations) {
      const DestinationId id{entry.service.key, destination.key};
      const auto recorded = destination.weight;
      auto& shadow = shadows_.try_emplace(id, Shadow{recorded, recorded, false}).first->second;
      const bool decided_by_others = recorded != shadow.expected;
      if (recorded == 0 || shadow.drained || decided_by_others) shadow.weight = recorded;
      const auto write = written.find(id);
      shadow.expected = write == written.end() ? recorded : write->second;
      shadow.drained = recorded == 0;
      destination.weight = shadow.weight;
    }
  }
}

void ShadowWeights::wrote(const DestinationId& id, std::uint32_t weight) {
  const auto found = shadows_.find(id);
  if (found != shadows_.end()) found->second.weight = weight;
}

void ShadowWeights::forget_unknown(const State& state) {
  std::erase_if(shadows_, [&](const auto& one) { return !knows(state, one.first); });
}

/// As the daemon does: bases and weights come back from the journal, what was learned does not.
void Replay::start_anew() {
  remembered_.merge(remembered_from_state(state_));
  state_ = {};
  readings_.clear();
  absences_.clear();
}

void Replay::take_readings(const Readings& fresh) {
  for (const auto& [address, reading] : fresh) {
    auto moved = reading;
    moved.taken += shift_;
    const auto known = readings_.find(address);
    const bool same = known != readings_.end() &&
                      std::chrono::abs(known->second.taken - moved.taken) < same_moment;
    if (same) moved.taken = known->second.taken;
    readings_.insert_or_assign(address, std::move(moved));
  }
}

/// A base of the recording counts for a destination that replay has not seen yet.
void Replay::restore_bases(const std::vector<ipvs::ServiceEntry>& table, const WeightsById& bases) {
  for (const auto& entry : table) {
    for (const auto& destination : entry.destinations) {
      const DestinationId id{entry.service.key, destination.key};
      const auto base = bases.find(id);
      if (base == bases.end() || knows(state_, id)) continue;
      remembered_.try_emplace(id, RememberedDestination{.base = base->second,
                                                        .base_configured = false,
                                                        .weight = destination.weight,
                                                        .intended = {},
                                                        .own_zero = {}});
    }
  }
  restore_seen(state_, remembered_, table);
}

/// As the daemon forgets agents: with the second table in a row without any of their destinations.
void Replay::forget_readings(const std::vector<ipvs::ServiceEntry>& table) {
  for (auto& [address, reading] : readings_)
    ++absences_[address];
  for (const auto& entry : table) {
    for (const auto& destination : entry.destinations)
      absences_.erase(destination.key.address);
  }
  std::erase_if(absences_, [this](const auto& one) {
    return one.second >= absences_to_forget && readings_.erase(one.first) > 0;
  });
}

ReplayedCycle Replay::step(const RecordedCycle& cycle) {
  if (!started_ || cycle.start) {
    start_anew();
    shift_ = first_moment - cycle.seen.now;
    started_ = true;
  }
  const auto now = cycle.seen.now + shift_;
  take_readings(cycle.seen.readings);
  Observations seen{now, cycle.seen.table, readings_, cycle.seen.responses};
  shadows_.put_into(seen.table, cycle.written);
  restore_bases(seen.table, cycle.bases);

  auto decision = decide(std::move(state_), seen, config_);
  const auto applied = applied_in_full(decision.plan);
  for (const auto& done : applied)
    shadows_.wrote({done.service, done.change.destination}, done.change.to);
  state_ = state_after_apply(std::move(decision.next), applied, now);
  shadows_.forget_unknown(state_);
  forget_readings(seen.table);
  return {cycle.seen.now, std::move(decision.verdicts)};
}

}  // namespace lvs::monitord
