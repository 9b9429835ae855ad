#include <rapidcheck.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "clustersim/shared_processor.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Server;
using lvs::clustersim::SharedProcessor;
using lvs::clustersim::thrashing_speed;

constexpr double infinity = std::numeric_limits<double>::infinity();

Server server_of(double speed, unsigned cores) {
  Server server;
  server.speed = speed;
  server.cores = cores;
  server.memory_used = 0.3;
  server.memory_per_request = 0;
  return server;
}

TEST_CASE("processor: idle") {
  SharedProcessor processor(server_of(2, 4));
  CHECK(processor.next_completion() == infinity);
  CHECK(processor.busy_core_seconds(5) == 0);
  CHECK(processor.capacity() == 8);
  CHECK(processor.free_memory() == Approx(0.7));
}

TEST_CASE("processor: two requests share one core") {
  SharedProcessor processor(server_of(1, 1));
  processor.add(0, 1, 7);
  CHECK(processor.next_completion() == Approx(1));
  processor.add(0.5, 1, 8);  // half of 7 is left and now takes a second
  CHECK(processor.next_completion() == Approx(1.5));
  CHECK(processor.completed(processor.next_completion()) == 7);
  CHECK(processor.next_completion() == Approx(2));
  CHECK(processor.completed(processor.next_completion()) == 8);
  CHECK(processor.busy_core_seconds(3) == Approx(2));
  CHECK(processor.work_done(3) == Approx(2));
}

TEST_CASE("processor: with one worker requests are served in their order") {
  auto server = server_of(1, 1);
  server.workers = 1;
  server.memory_per_request = 0.1;
  SharedProcessor processor(server);
  processor.add(0, 1, 7);
  processor.add(0.5, 0.1, 8);  // short, and waits all the same
  processor.add(0.6, 1, 9);
  CHECK(processor.jobs() == 3);
  CHECK(processor.free_memory() == Approx(0.4));  // those that wait take memory, too
  CHECK(processor.next_completion() == Approx(1));
  CHECK(processor.completed(1) == 7);
  CHECK(processor.next_completion() == Approx(1.1));
  processor.abandon(1.05, {9});
  CHECK(processor.completed(1.1) == 8);
  CHECK(processor.jobs() == 0);
  CHECK(processor.work_done(2) == Approx(1.1));
}

TEST_CASE("processor: workers share the cores and a crash empties their queue") {
  auto server = server_of(1, 2);
  server.workers = 3;
  SharedProcessor processor(server);
  for (std::uint32_t job = 1; job <= 5; ++job)
    processor.add(0, 1, job);
  CHECK(processor.next_completion() == Approx(1.5));  // three on two cores
  CHECK(processor.busy_core_seconds(1) == Approx(2));
  CHECK(processor.aborted(1) == std::vector<std::uint32_t>{1, 2, 3, 4, 5});
  CHECK(processor.next_completion() == infinity);
}

TEST_CASE("processor: a request uses one core at most") {
  SharedProcessor processor(server_of(2, 4));
  processor.add(0, 1, 1);
  CHECK(processor.next_completion() == Approx(0.5));
  for (std::uint32_t job = 2; job <= 8; ++job)
    processor.add(0, 1, job);
  CHECK(processor.next_completion() == Approx(1));
  CHECK(processor.busy_core_seconds(0.5) == Approx(2));
  CHECK(processor.work_done(0.5) == Approx(4));
}

TEST_CASE("processor: a neighbour takes its share and shows in the busy time") {
  SharedProcessor processor(server_of(1, 2));
  processor.set_background(0, 0.75);
  CHECK(processor.capacity() == Approx(0.5));
  CHECK(processor.busy_core_seconds(1) == Approx(1.5));
  processor.add(1, 1, 1);
  CHECK(processor.next_completion() == Approx(3));
  CHECK(processor.busy_core_seconds(2) == Approx(1.5 + 2));
  processor.set_background(2, 0);
  CHECK(processor.next_completion() == Approx(2.5));
}

TEST_CASE("processor: a change of speed holds from then on") {
  SharedProcessor processor(server_of(1, 1));
  processor.add(0, 1, 1);
  processor.set_speed(0.5, 0.25);
  CHECK(processor.next_completion() == Approx(2.5));
}

TEST_CASE("processor: thrashing below the reserve") {
  auto server = server_of(1, 1);
  server.memory_used = 0.90;
  server.memory_per_request = 0.025;
  SharedProcessor processor(server);
  processor.add(0, 1, 1);
  processor.add(0, 1, 2);
  CHECK(processor.free_memory() == Approx(0.05));
  CHECK(processor.next_completion() == Approx(2));
  processor.add(0, 1, 3);  // half of the reserve is left
  CHECK(processor.free_memory() == Approx(0.025));
  auto const half = thrashing_speed + (1 - thrashing_speed) / 2;
  CHECK(processor.next_completion() == Approx(3 / half));
  for (std::uint32_t job = 4; job <= 10; ++job)
    processor.add(0, 1, job);
  CHECK(processor.free_memory() == 0);
  CHECK(processor.next_completion() == Approx(10 / thrashing_speed));
  CHECK(processor.busy_core_seconds(1) == Approx(1));
  CHECK(processor.capacity() == 1);
  CHECK(processor.effective_capacity() == Approx(thrashing_speed));
  processor.set_memory_used(1, 0.1);
  CHECK(processor.effective_capacity() == Approx(1));
}

TEST_CASE("processor: what clients give up makes room for the others") {
  SharedProcessor processor(server_of(1, 1));
  processor.add(0, 1, 1);
  processor.add(0, 2, 2);
  processor.add(0, 3, 3);
  processor.abandon(1.5, {1, 3});  // half a second of each is done
  CHECK(processor.jobs() == 1);
  CHECK(processor.next_completion() == Approx(3));
  CHECK(processor.completed(processor.next_completion()) == 2);
}

TEST_CASE("processor: a crash empties it") {
  SharedProcessor processor(server_of(1, 1));
  processor.add(0, 3, 5);
  processor.add(0, 1, 6);
  CHECK(processor.aborted(0.5) == std::vector<std::uint32_t>{6, 5});
  CHECK(processor.jobs() == 0);
  CHECK(processor.next_completion() == infinity);
  CHECK(processor.work_done(9) == Approx(0.5));
}

/// The same by small steps of every request.
struct Stepped {
  double speed;
  double cores;
  std::vector<double> left{};

  void advance(double passed) {
    auto const running = static_cast<double>(left.size());
    for (auto& work : left)
      work -= passed * speed * std::min(1.0, cores / running);
  }
};

TEST_CASE("processor: agrees with serving every request step by step") {
  rc::check([](const std::vector<std::pair<std::uint8_t, std::uint8_t>>& arrivals) {
    SharedProcessor processor(server_of(1.5, 2));
    Stepped stepped{1.5, 2};
    double now = 0;
    auto const complete = [&] {
      auto const end = processor.next_completion();
      stepped.advance(end - now);
      now = end;
      processor.completed(now);
      auto const least = std::min_element(stepped.left.begin(), stepped.left.end());
      RC_ASSERT(std::abs(*least) < 1e-9);
      stepped.left.erase(least);
    };
    for (auto const& [pause, work] : arrivals) {
      auto const at = now + pause / 100.0;
      while (processor.next_completion() <= at)
        complete();
      stepped.advance(at - now);
      now = at;
      processor.add(now, 0.01 + work / 50.0, 0);
      stepped.left.push_back(0.01 + work / 50.0);
    }
    while (processor.jobs() > 0)
      complete();
    RC_ASSERT(stepped.left.empty());
  });
}

}  // namespace
