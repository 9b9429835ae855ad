#include "clustersim/director.hpp"

#include <cassert>

namespace lvs::clustersim {
namespace {

constexpr double estimation_interval_s = 2;  // ip_vs_est.c
constexpr double sampling_interval_s = 1;

}  // namespace

Director::Director(const Scenario& scenario, std::uint64_t seed, double deadline_s, Plant& plant,
                   Tally& tally, WeightPolicy& policy)
    : interval_s_(scenario.interval_s),
      deadline_s_(deadline_s),
      estimation_phase_s_(Random(seed, "estimation").uniform() * estimation_interval_s),
      plant_(plant),
      tally_(tally),
      policy_(policy),
      capacities_(plant.processors.size()) {
  Random const streams(seed, "agents");
  for (std::size_t server = 0; server < plant.processors.size(); ++server) {
    agents_.emplace_back(plant.processors[server], scenario.agents, streams.child(server));
    readers_.emplace_back(plant.processors[server].cores());
  }
  for (auto const& service : plant.services)
    servers_.push_back(service.servers());
}

void Director::start() {
  for (std::size_t server = 0; server < agents_.size(); ++server) {
    plant_.timers.set(agents_[server].phase(), Timer::Kind::sample,
                      static_cast<std::uint32_t>(server));
  }
  plant_.timers.set(estimation_phase_s_, Timer::Kind::estimation);
  plan_questions(0);
  changed(0);
}

void Director::sample(double now, std::size_t server) {
  agents_[server].sample(now, plant_.processors[server]);
  plant_.timers.set(now + sampling_interval_s, Timer::Kind::sample,
                    static_cast<std::uint32_t>(server));
}

/// Every server at its own time in the interval, as monitord's poll schedule has it.
void Director::plan_questions(double now) {
  auto const count = agents_.size();
  for (std::size_t server = 0; server < count; ++server) {
    auto const slot = interval_s_ * static_cast<double>(server) / static_cast<double>(count);
    plant_.timers.set(now + slot, Timer::Kind::question, static_cast<std::uint32_t>(server));
  }
  plant_.timers.set(now + interval_s_, Timer::Kind::cycle);
}

void Director::ask(double now, std::size_t server) {
  if (!plant_.up[server]) return;
  auto const delay = agents_[server].answer_delay(cycles_, deadline_s_);
  if (!delay) return;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(answers_.size()));
    answers_.emplace_back();
  }
  auto const slot = free_.back();
  free_.pop_back();
  answers_[slot] = {static_cast<std::uint32_t>(server), agents_[server].latest()};
  plant_.timers.set(now + *delay, Timer::Kind::reply, slot);
}

void Director::take_reply(std::size_t slot) {
  auto const& answer = answers_[slot];
  if (auto const reading = readers_[answer.server].reading(answer.sample)) {
    seen_.readings.insert_or_assign(server_address(answer.server), *reading);
  }
  free_.push_back(static_cast<std::uint32_t>(slot));
}

void Director::refresh_counters(double now) {
  for (auto& service : plant_.services)
    service.refresh_counters();
  plant_.timers.set(now + estimation_interval_s, Timer::Kind::estimation);
}

void Director::cycle(double now) {
  ++cycles_;
  if (policy_.wants_responses()) observe_responses();
  observe(now);
  write(now, policy_.cycle(sight()));
  tally_.cycle_ended(now, plant_);
  tally_.begin_interval();
  plan_questions(now);
}

void Director::changed(double now) {
  observe(now);
  write(now, policy_.changed(sight()));
}

void Director::observe(double now) {
  seen_.now = moment_from_seconds(now);
  seen_.table.resize(plant_.services.size());
  for (std::size_t i = 0; i < plant_.services.size(); ++i)
    seen_.table[i] = plant_.services[i].entry(now);
  for (std::size_t server = 0; server < capacities_.size(); ++server)
    capacities_[server] = plant_.capacity(server);
}

void Director::observe_responses() {
  seen_.responses.clear();
  for (std::size_t s = 0; s < plant_.services.size(); ++s) {
    for (std::size_t d = 0; d < plant_.services[s].size(); ++d) {
      auto const& mean = tally_.interval_means()[s][d];
      if (mean.count == 0) continue;
      auto const& entry = seen_.table[s];
      seen_.responses[{entry.service.key, entry.destinations[d].key}] =
          mean.sum_s / static_cast<double>(mean.count);
    }
  }
}

Sight Director::sight() {
  return {seen_, servers_, capacities_, tally_.completed_by_server()};
}

void Director::write(double now, const WeightWrites& writes) {
  for (auto const& write : writes) {
    auto& service = plant_.services[write.service];
    assert(service.destinations().weight[write.destination] != 0);
    service.set_weight(write.destination, write.weight);
    tally_.wrote(now);
  }
}

}  // namespace lvs::clustersim
