#include "monitorctl/top_memory.hpp"

#include <utility>

#include "support/catch.hpp"
#include "top_world.hpp"

using namespace lvs::monitorctl;

namespace {

const TopName web1{"tcp 10.9.9.9:80", "10.0.0.11:80"};

/// One destination, in a cycle at a time.
Status one_status(std::uint64_t cycle, double time, std::uint64_t weight,
                  std::uint64_t connections) {
  DestinationStatus one;
  one.destination = web1.destination;
  one.current = weight;
  one.cpu_busy = 0.5;
  one.new_connections = connections;
  Status status;
  status.cycle = cycle;
  status.wall_time = time;
  status.services = {{web1.service, "wrr", {one}}};
  return status;
}

HistoryNumbers point(double time, double weight, double connections) {
  HistoryNumbers made;
  made.time = time;
  made.weight = weight;
  made.cpu_busy = 0.25;
  made.new_connections = connections;
  return made;
}

}  // namespace

TEST_CASE("top memory: before the first answer there is nothing") {
  TopMemory memory;
  CHECK(memory.status() == nullptr);
  CHECK(memory.before(web1) == nullptr);
  CHECK(memory.record(web1) == nullptr);
  memory.take_history(web1, {point(0, 1, 1)});
  CHECK(memory.record(web1) == nullptr);
  memory.take_failure("gone");
  CHECK(memory.failure() == "gone");
}

TEST_CASE("top memory: the poll before is kept, and no more") {
  TopMemory memory;
  memory.take(one_status(1, 100, 10, 0), 0);
  CHECK(memory.before(web1) == nullptr);
  memory.take(one_status(2, 102, 12, 0), 0);
  REQUIRE(memory.before(web1) != nullptr);
  CHECK(memory.before(web1)->current == 10);
  memory.take(one_status(2, 102, 12, 0), 0);
  CHECK(memory.before(web1)->current == 12);
  CHECK(memory.record(web1)->trail.last_turn() == Turn::up);
}

TEST_CASE("top memory: connections per second come from the length of a cycle") {
  TopMemory memory;
  memory.take(one_status(1, 100, 10, 60), 0);
  CHECK_FALSE(memory.record(web1)->rate.has_value());
  memory.take(one_status(6, 110, 10, 60), 0);  // five cycles of 2 s
  CHECK(memory.record(web1)->rate == 30);
  memory.take(one_status(6, 110, 10, 60), 0);  // the same cycle again
  CHECK(memory.record(web1)->rate == 30);
  CHECK(memory.record(web1)->rate_before == 30);
  memory.take(one_status(1, 200, 10, 20), 0);  // another monitord
  CHECK(memory.record(web1)->rate == 10);
}

TEST_CASE("top memory: a failure keeps what was known and goes with the next answer") {
  TopMemory memory;
  memory.take(one_status(1, 100, 10, 0), 0);
  memory.take_failure("gone");
  REQUIRE(memory.status() != nullptr);
  CHECK(memory.failure() == "gone");
  memory.take(one_status(2, 102, 10, 0), 0);
  CHECK(memory.failure().empty());
}

TEST_CASE("top memory: history goes before what was seen, and gives the first rate") {
  TopMemory memory;
  memory.take(one_status(1, 100, 10, 60), 0);
  CHECK_FALSE(memory.record(web1)->has_history);
  memory.take_history(web1, {point(58, 8, 5), point(60, 8, 80)});
  const auto& record = *memory.record(web1);
  CHECK(record.has_history);
  CHECK(record.rate == 40);
  CHECK(record.rate_before == 40);
  CHECK(record.trail.weights(5, 4) == TopTrail::Means{8, 8, {}, 10});
  memory.take_history(web1, {});
  CHECK(memory.record(web1)->rate == 40);
}

TEST_CASE("top memory: the daemon's time is the time, or else the clock's") {
  TopMemory memory;
  auto status = one_status(1, 100, 10, 0);
  status.wall_time.reset();
  memory.take(std::move(status), 77);
  CHECK(memory.time() == 77);
}

TEST_CASE("top memory: who has gone is forgotten once nothing of it is on the screen") {
  TopMemory memory;
  memory.take(one_status(1, 100, 10, 0), 0);
  Status other;
  other.cycle = 2;
  other.wall_time = 200;
  memory.take(other, 0);
  CHECK(memory.record(web1) != nullptr);
  other.cycle = 3;
  other.wall_time = 100 + TopTrail::part_s * TopTrail::most_parts + 1;
  memory.take(other, 0);
  CHECK(memory.record(web1) == nullptr);
}
