#pragma once

// A cluster in small, for judging the loop without clocks or kernels: time goes in cycles of 2 s,
// a cycle's arrivals are spread by the walk of ip_vs_wrr.c, every server works off its queue.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <vector>

#include "loadcalc/capacity.hpp"

namespace lvs::test {

struct SimulatedServer {
  double speed{1.0};        ///< work units per second
  double free_memory{0.5};  ///< M
  std::uint32_t base{100};
  std::deque<double> queue{};   ///< work left of every waiting request
  std::uint64_t connections{};  ///< N so far
  std::uint64_t finished{};
};

/// Picks destinations as ip_vs_wrr.c does; a write restarts the walk, its level stays.
class WrrWalk {
 public:
  std::size_t next(const std::vector<std::uint32_t>& weights);
  void restart() { position_ = 0; }

 private:
  std::size_t position_{};
  std::uint32_t level_{};
};

struct LoopOptions {
  double load{0.7};  ///< offered work / sum of speeds
  double requests_per_second{150};
  bool noise{};  ///< Poisson arrivals, exponential request sizes
  std::uint64_t seed{1};
  loadcalc::CapacityParameters parameters{};
};

struct CycleResult {
  std::vector<std::uint32_t> weights{};  ///< after this cycle's decision
  std::vector<double> cpu{};             ///< C
  std::size_t writes{};
  std::size_t backlog{};  ///< requests waiting, all servers
};

class ClosedLoop {
 public:
  ClosedLoop(std::vector<SimulatedServer> servers, LoopOptions options);

  CycleResult cycle();
  std::vector<CycleResult> cycles(std::size_t count);
  SimulatedServer& server(std::size_t index) { return servers_[index]; }
  void set_load(double load) { options_.load = load; }

 private:
  void arrive();
  double serve(SimulatedServer& server);
  void learn(const std::vector<double>& cpu);
  std::size_t decide(const std::vector<double>& cpu);
  double random_exponential(double mean);

  std::vector<SimulatedServer> servers_;
  LoopOptions options_;
  double speed_sum_{};
  std::vector<loadcalc::ServerModel> models_{};
  std::vector<std::uint64_t> finished_before_{};
  std::vector<std::uint32_t> weights_{};
  WrrWalk walk_{};
  double arrival_debt_{};
  std::mt19937_64 random_;
};

/// Share of each weight in the sum.
std::vector<double> shares_of(const std::vector<std::uint32_t>& weights);

}  // namespace lvs::test
