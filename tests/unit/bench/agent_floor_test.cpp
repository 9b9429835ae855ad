#include "bench/agent_floor.hpp"

#include "support/catch.hpp"

using namespace lvs::bench;

namespace {

constexpr auto stat = "cpu  10 2 30 400 5 6 7 8 0 0\ncpu0 10 2 30 400 5 6 7 8 0 0\n";
constexpr auto meminfo = "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   400 kB\n";

}  // namespace

TEST_CASE("agent floor: what is missing is missed") {
  CHECK_FALSE(floor_from_texts("", meminfo).has_value());
  CHECK_FALSE(floor_from_texts("cpu0 1 2 3 4 5 6 7 8\n", meminfo).has_value());
  CHECK_FALSE(floor_from_texts("cpu  1 2 3 4\ncpu0 1 2 3 4\n", meminfo).has_value());
  CHECK_FALSE(floor_from_texts(stat, "MemTotal: 1000 kB\n").has_value());
  CHECK_FALSE(floor_from_texts(stat, "MemTotal: kB\nMemAvailable: 1 kB\n").has_value());
}

TEST_CASE("agent floor: ticks and memory are read") {
  CHECK(floor_from_texts(stat, meminfo) == FloorReading{63, 405, 1000, 400});
}

TEST_CASE("agent floor: this machine has both") {
  const auto reading = AgentFloor{}.read();
  CHECK(reading.not_busy > 0);
  CHECK(reading.available_kb <= reading.total_kb);
}
