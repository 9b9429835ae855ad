#include "closed_loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "loadcalc/boundary.hpp"
#include "loadcalc/capacity_model.hpp"
#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/quantise.hpp"
#include "loadcalc/relief.hpp"

namespace lvs::test {

namespace {

constexpr double kCycleSeconds = 2.0;

}  // namespace

std::size_t WrrWalk::next(const std::vector<std::uint32_t>& weights) {
  auto const most = *std::max_element(weights.begin(), weights.end());
  auto const step =
      std::accumulate(weights.begin(), weights.end(), 0U, std::gcd<std::uint32_t, std::uint32_t>);
  while (true) {
    if (position_ == 0) level_ = level_ <= step ? most : level_ - step;
    auto const index = position_;
    position_ = (position_ + 1) % weights.size();
    if (weights[index] >= level_) return index;
  }
}

ClosedLoop::ClosedLoop(std::vector<SimulatedServer> servers, LoopOptions options)
    : servers_(std::move(servers)),
      options_(options),
      models_(servers_.size()),
      finished_before_(servers_.size()),
      random_(options.seed) {
  for (auto const& server : servers_) {
    speed_sum_ += server.speed;
    weights_.push_back(server.base);
  }
}

/// By inversion: the library's distributions differ between implementations.
double ClosedLoop::random_exponential(double mean) {
  auto const uniform = static_cast<double>(random_() >> 11U) * 0x1.0p-53;
  return -mean * std::log1p(-uniform);
}

void ClosedLoop::arrive() {
  auto const rate = options_.requests_per_second;
  auto const mean_work = options_.load * speed_sum_ / rate;
  auto const span = kCycleSeconds * rate;  // in mean gaps
  while (arrival_debt_ < span) {
    auto& server = servers_[walk_.next(weights_)];
    ++server.connections;
    server.queue.push_back(options_.noise ? random_exponential(mean_work) : mean_work);
    arrival_debt_ += options_.noise ? random_exponential(1.0) : 1.0;
  }
  arrival_debt_ -= span;
}

/// Works off the queue for one cycle and returns C.
double ClosedLoop::serve(SimulatedServer& server) {
  auto const can_do = server.speed * kCycleSeconds;
  auto left = can_do;
  while (!server.queue.empty() && left > 0.0) {
    auto const done = std::min(left, server.queue.front());
    left -= done;
    server.queue.front() -= done;
    if (server.queue.front() > 0.0) break;
    server.queue.pop_front();
    ++server.finished;
  }
  return 1.0 - left / can_do;
}

void ClosedLoop::learn(const std::vector<double>& cpu) {
  auto const& parameters = options_.parameters;
  auto const mean_cpu =
      std::accumulate(cpu.begin(), cpu.end(), 0.0) / static_cast<double>(cpu.size());
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    auto const& server = servers_[i];
    loadcalc::ServerStep step;
    step.completed =
        static_cast<double>(server.finished - std::exchange(finished_before_[i], server.finished));
    step.measures = {cpu[i], server.free_memory};
    step.composite = loadcalc::composite_load(step.measures, parameters.shares);
    step.learn = mean_cpu >= parameters.learning.minimum_cpu;
    models_[i] = loadcalc::learned(models_[i], step, parameters.learning);
  }
}

std::size_t ClosedLoop::decide(const std::vector<double>& cpu) {
  loadcalc::Pool pool;
  std::vector<std::uint32_t> bases;
  pool.arrivals = 2 * options_.requests_per_second;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    pool.members.push_back({servers_[i].base, weights_[i],
                            loadcalc::Measures{cpu[i], servers_[i].free_memory}, models_[i]});
    pool.members.back().active = static_cast<double>(servers_[i].queue.size());
    bases.push_back(servers_[i].base);
  }
  std::vector<double> wishes;
  auto const& parameters = options_.parameters;
  auto targets = loadcalc::capacity_targets(pool, parameters);
  auto const capacities =
      loadcalc::learned_capacities(pool, parameters.learning.minimum_completions, parameters.prior);
  loadcalc::relieve(pool, capacities, {}, loadcalc::TargetSort::capacities, targets);
  for (auto const& target : targets)
    wishes.push_back(target.weight);
  auto const next = loadcalc::quantised(wishes, weights_, bases, pool.weight_use, pool.range, {});
  std::size_t writes = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (!loadcalc::exceeds_boundary({}, weights_[i], next[i])) continue;
    weights_[i] = next[i];
    ++writes;
  }
  if (writes > 0) walk_.restart();
  return writes;
}

CycleResult ClosedLoop::cycle() {
  arrive();
  CycleResult result;
  for (auto& server : servers_) {
    result.cpu.push_back(serve(server));
    result.backlog += server.queue.size();
  }
  learn(result.cpu);
  result.writes = decide(result.cpu);
  result.weights = weights_;
  return result;
}

std::vector<CycleResult> ClosedLoop::cycles(std::size_t count) {
  std::vector<CycleResult> results;
  results.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(cycle());
  return results;
}

std::vector<double> shares_of(const std::vector<std::uint32_t>& weights) {
  auto const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> shares;
  shares.reserve(weights.size());
  for (auto const weight : weights)
    shares.push_back(weight / sum);
  return shares;
}

}  // namespace lvs::test
