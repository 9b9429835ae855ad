#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "closed_loop.hpp"
#include "support/catch.hpp"

namespace {

using lvs::test::ClosedLoop;
using lvs::test::CycleResult;
using lvs::test::LoopOptions;
using lvs::test::shares_of;
using lvs::test::SimulatedServer;

constexpr double kCyclesPerMinute = 30.0;

std::vector<SimulatedServer> servers_of(const std::vector<double>& speeds) {
  std::vector<SimulatedServer> servers;
  for (auto const speed : speeds) {
    SimulatedServer server;
    server.speed = speed;
    servers.push_back(server);
  }
  return servers;
}

/// Largest relative distance of a weight's share from its server's share of the speed.
double distance_from(const std::vector<double>& speeds, const CycleResult& result) {
  double sum = 0;
  for (auto const speed : speeds)
    sum += speed;
  auto const shares = shares_of(result.weights);
  double largest = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    largest = std::max(largest, std::abs(shares[i] * sum / speeds[i] - 1.0));
  }
  return largest;
}

std::size_t writes_in(const std::vector<CycleResult>& results, std::size_t from = 0) {
  std::size_t writes = 0;
  for (std::size_t i = from; i < results.size(); ++i)
    writes += results[i].writes;
  return writes;
}

/// Per server and minute, once settled, mean of five seeds.
double settled_write_rate(const std::vector<double>& speeds, LoopOptions options) {
  constexpr std::size_t counted = 300;
  double writes = 0;
  for (options.seed = 1; options.seed <= 5; ++options.seed) {
    ClosedLoop loop(servers_of(speeds), options);
    loop.cycles(60);
    writes += static_cast<double>(writes_in(loop.cycles(counted)));
  }
  return writes / 5 / static_cast<double>(speeds.size()) / (counted / kCyclesPerMinute);
}

TEST_CASE("loop: unequal servers get the shares of their speeds and then peace") {
  std::vector<double> const speeds{1, 2, 4};
  ClosedLoop loop(servers_of(speeds), {});
  auto const results = loop.cycles(60);
  for (std::size_t i = 12; i < results.size(); ++i)
    CHECK(distance_from(speeds, results[i]) < 0.15);  // what the evidence can tell by then
  CHECK(writes_in(results, 30) == 0);
  CHECK(results.back().backlog == 0);
}

TEST_CASE("loop: unequal free memory does not keep servers from their shares") {
  std::vector<double> const speeds{1, 2, 4};
  auto servers = servers_of(speeds);
  servers[0].free_memory = 0.9;
  servers[2].free_memory = 0.3;
  ClosedLoop loop(servers, {});
  auto const results = loop.cycles(120);
  CHECK(distance_from(speeds, results.back()) < 0.25);
  CHECK(writes_in(results, 80) == 0);
  CHECK(*std::max_element(results.back().cpu.begin(), results.back().cpu.end()) < 0.9);
}

TEST_CASE("loop: equal servers with little to do stay equal whatever their memory") {
  auto servers = servers_of({1, 1, 1});
  servers[0].free_memory = 0.9;
  LoopOptions options;
  options.load = 0.05;
  ClosedLoop loop(servers, options);
  CHECK(writes_in(loop.cycles(200)) == 0);
}

TEST_CASE("loop: a server that slows down is relieved within a few cycles") {
  LoopOptions options;
  options.load = 0.6;
  ClosedLoop loop(servers_of({1, 1, 1}), options);
  loop.cycles(60);
  loop.server(0).speed = 0.4;
  auto const slow = loop.cycles(40);
  for (std::size_t i = 11; i < slow.size(); ++i)
    CHECK(slow[i].backlog == 0);
  CHECK(distance_from({0.4, 1, 1}, slow[10]) < 0.20);
  CHECK(writes_in(slow, 20) == 0);

  loop.server(0).speed = 1.0;
  auto const back = loop.cycles(40);
  CHECK(distance_from({1, 1, 1}, back[10]) < 0.20);
  CHECK(back.back().backlog == 0);
}

TEST_CASE("loop: an overload at the start is left behind") {
  std::vector<double> const speeds{1, 1, 2, 2, 4, 4};
  LoopOptions options;
  options.load = 0.85;
  options.requests_per_second = 300;
  ClosedLoop loop(servers_of(speeds), options);
  auto const results = loop.cycles(100);
  CHECK(results.front().backlog > 50);
  for (std::size_t i = 6; i < results.size(); ++i)
    CHECK(results[i].backlog == 0);
  CHECK(distance_from(speeds, results.back()) < 0.10);
  CHECK(writes_in(results, 70) == 0);
}

TEST_CASE("loop: noise makes few writes once settled") {
  auto const [load, requests] =
      GENERATE(table<double, double>({{0.5, 150}, {0.7, 150}, {0.7, 300}}));
  LoopOptions options;
  options.load = load;
  options.requests_per_second = requests;
  options.noise = true;
  CAPTURE(load, requests);
  CHECK(settled_write_rate({1, 2, 4}, options) <= 0.3);
  options.requests_per_second = 2 * requests;
  CHECK(settled_write_rate({1, 1, 2, 2, 4, 4}, options) <= 0.3);
  CHECK(settled_write_rate({1, 1, 1, 1}, options) <= 0.3);
}

TEST_CASE("loop: noise does not drive weights away from the speeds") {
  std::vector<double> const speeds{1, 2, 4};
  LoopOptions options;
  options.noise = true;
  options.seed = 3;
  ClosedLoop loop(servers_of(speeds), options);
  loop.cycles(60);
  for (auto const& result : loop.cycles(300))
    CHECK(distance_from(speeds, result) < 0.35);
}

TEST_CASE("loop: a pool without connections is left alone") {
  LoopOptions options;
  options.load = 0.0;
  ClosedLoop loop(servers_of({1, 2, 4}), options);
  CHECK(writes_in(loop.cycles(50)) == 0);
}

}  // namespace
