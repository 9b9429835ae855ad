#include "bench/traits.hpp"

#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include "clustersim/scenario_yaml.hpp"
#include "support/catch.hpp"

using lvs::bench::Traits;
using lvs::bench::traits_from;
using lvs::clustersim::scenario_from_yaml;

namespace {

Traits traits_of(const std::string& yaml) {
  const auto checked = scenario_from_yaml(yaml, "x");
  if (!checked) FAIL(lvs::strictyaml::string_from_problems(checked.error()));
  return traits_from(checked->scenario);
}

Traits shipped(const std::string& name) {
  std::ifstream file{LVS_SOURCE_DIR "/bench/scenarios/" + name + ".yaml"};
  REQUIRE(file);
  return traits_of({std::istreambuf_iterator<char>{file}, {}});
}

}  // namespace

TEST_CASE("traits: a plain pool is stationary and equal") {
  const Traits expected{.stationary = true, .equal_bases = true, .duration_s = 600};
  CHECK(traits_of("load: 0.5\nservers: [{count: 3}]\n") == expected);
}

TEST_CASE("traits: each comes from what is in the scenario") {
  const auto [line, changed] = GENERATE(table<std::string, Traits>({
      {"wave: {amplitude: 0.5}", {.equal_bases = true}},
      {"warmup: 0s", {.equal_bases = true, .start_counts = true}},
      {"burst: {amplitude: 0.4}", {.stationary = true, .equal_bases = true, .bursts = true}},
      {"persistence: 60s", {.stationary = true, .equal_bases = true, .persistent = true}},
      {"keepalive: {requests: 9, think: 1s}",
       {.stationary = true, .equal_bases = true, .idle_connections = true}},
      {"keepalive: {requests: 9, think: 0s}", {.stationary = true, .equal_bases = true}},
      {"events: [{at: 9s, load: 0.7}]", {.equal_bases = true}},
      {"events: [{at: 9s, server: 0, weight: 0}]", {.equal_bases = true}},
      {"events: [{at: 9s, server: 0, agent: silent}]", {.equal_bases = true}},
      {"events: [{at: 9s, server: 0, speed: 0.5}]", {.disturbed = true, .equal_bases = true}},
      {"events: [{at: 9s, server: 0, up: false}]", {.disturbed = true, .equal_bases = true}},
      {"events: [{at: 9s, server: 0, background: 0.5}]",
       {.disturbed = true, .equal_bases = true, .neighbour = true}},
      {"events: [{at: 9s, server: 0, memory_used: 0.9}]",
       {.disturbed = true, .equal_bases = true, .memory_pressure = true}},
  }));
  INFO(line);
  auto expected = changed;
  expected.duration_s = 600;
  CHECK(traits_of("load: 0.5\nservers: [{count: 3}]\n" + line + "\n") == expected);
}

TEST_CASE("traits: servers that differ make a pool unequal") {
  CHECK(traits_of("load: 0.5\nservers: [{speed: 1}, {speed: 2}]\n").unequal);
  CHECK(traits_of("load: 0.5\nservers: [{cores: 1}, {cores: 2}]\n").unequal);
  CHECK_FALSE(traits_of("load: 0.5\nservers: [{base: 1}, {base: 2}]\n").unequal);
  CHECK_FALSE(traits_of("load: 0.5\nservers: [{base: 1}, {base: 2}]\n").equal_bases);
  CHECK(traits_of("load: 0.5\nservers: [{}, {memory_used: 0.85}]\n").memory_pressure);
}

TEST_CASE("traits: a connection per cycle is low traffic") {
  CHECK(traits_of("arrivals: 0.5/s\nservers: [{}]\n").low_traffic);
  CHECK_FALSE(traits_of("arrivals: 0.6/s\nservers: [{}]\n").low_traffic);
  CHECK(traits_of("arrivals: 5/s\nkeepalive: {requests: 10}\nservers: [{}]\n").low_traffic);
  CHECK_FALSE(traits_of("load: 0.001\nservers: [{}]\n").low_traffic);
}

TEST_CASE("traits: shipped scenarios are of the kind that their names say") {
  CHECK(shipped("hetero-70").stationary);
  CHECK(shipped("hetero-70").unequal);
  CHECK(shipped("equal-heavy-tail").stationary);
  CHECK_FALSE(shipped("equal-heavy-tail").unequal);
  CHECK(shipped("noisy-neighbour").neighbour);
  CHECK(shipped("slow-down").disturbed);
  CHECK(shipped("memory-leak").memory_pressure);
  CHECK(shipped("memory-pressure").memory_pressure);
  CHECK(shipped("crash-return").disturbed);
  CHECK(shipped("persistence").persistent);
  CHECK(shipped("keepalive-idle").idle_connections);
  CHECK(shipped("low-traffic").low_traffic);
  CHECK(shipped("overload-start").start_counts);
  CHECK(shipped("random-40").bursts);
  CHECK_FALSE(shipped("wrong-bases").equal_bases);
  CHECK_FALSE(shipped("diurnal").stationary);
}
