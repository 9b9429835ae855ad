#include <cstdint>
#include <optional>

#include "agentproto/reading.hpp"
#include "realserver-agent/sampler.hpp"
#include "realserver-agent/snapshot.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;
using lvs::agentproto::measured_from_samples;
using lvs::agentproto::Memory;
using lvs::agentproto::Sample;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

Snapshot snapshot(std::uint64_t boottime_ns, const CpuTicks& ticks) {
  Snapshot snapshot{.boottime_ns = boottime_ns};
  snapshot.stat = StatFile{.cpus = {{0, ticks}}};
  snapshot.memory = Memory{.total_kb = 100, .available_kb = 50};
  return snapshot;
}

Snapshot first() {
  return snapshot(627 * second, {.user = 2000, .system = 400, .idle = 60000, .iowait = 100});
}
Snapshot second_later() {
  return snapshot(629 * second, {.user = 2060, .system = 420, .idle = 60120, .iowait = 100});
}

}  // namespace

TEST_CASE("sampler: an impossible CPU is left out and said") {
  Sampler sampler{100};
  Snapshot stuck = snapshot(864000 * second, {.user = 2440310, .idle = 9108277443016522871U});
  const Sample before = sampler.take(stuck);
  CHECK_FALSE(before.cpu.has_value());
  CHECK(before.partial);
  REQUIRE(sampler.problems().size() == 1);
  CHECK(sampler.problems()[0].kind == Problem::Kind::cpu);
  stuck.boottime_ns += 2 * second;
  stuck.stat->cpus[0].user += 200;
  const auto measured = measured_from_samples(before, sampler.take(stuck));
  CHECK_FALSE(measured.cpu_busy.has_value());
  CHECK(measured.mem_available == Approx(0.5));
}

TEST_CASE("sampler: what could not be read makes the sample partial") {
  Sampler sampler{100};
  Snapshot broken = first();
  broken.memory.reset();
  broken.problems.push_back({Problem::Kind::memory, "/proc/meminfo: no MemTotal"});
  CHECK(sampler.take(broken).partial);
  CHECK(sampler.problems() == broken.problems);
  CHECK_FALSE(sampler.take(second_later()).partial);
  CHECK(sampler.problems().empty());
}

TEST_CASE("sampler: only the first sample is marked as one") {
  Sampler sampler{100};
  CHECK(sampler.take(first()).first);
  CHECK_FALSE(sampler.take(second_later()).first);
}

TEST_CASE("sampler: case 17 (two reads within one tick) keeps the last CPU times and moment") {
  Sampler sampler{100};
  const Sample before = sampler.take(first());
  const Sample after = sampler.take(second_later());
  CHECK(measured_from_samples(before, after).cpu_busy == Approx(0.4));

  Snapshot same_tick = second_later();
  same_tick.boottime_ns += second / 100;
  same_tick.memory->available_kb = 40;
  const Sample again = sampler.take(same_tick);
  CHECK(again.boottime_ns == after.boottime_ns);
  CHECK(measured_from_samples(before, again).cpu_busy == Approx(0.4));
  CHECK(again.memory->available_kb == 40);
}

TEST_CASE("sampler: case 17 (two askers) both get the same sample") {
  Sampler sampler{100};
  sampler.take(first());
  const Sample one = sampler.take(second_later());
  const Sample other = sampler.last();
  CHECK(one == other);
  CHECK(sampler.last() == one);
}

TEST_CASE("sampler: counters that stand still for long do not stop the clock") {
  Sampler sampler{100};
  sampler.take(first());
  Snapshot still = first();
  still.boottime_ns += 2 * second;
  CHECK(sampler.take(still).boottime_ns == still.boottime_ns);
}

TEST_CASE("sampler: a container's use within one host tick is a new sample") {
  Sampler sampler{100};
  Snapshot in_container = first();
  in_container.cgroup = lvs::agentproto::CgroupLimits{.usage_us = 1000, .cpus_x1000 = 500};
  sampler.take(in_container);
  in_container.boottime_ns += second / 200;
  in_container.cgroup->usage_us = 2000;
  CHECK(sampler.take(in_container).boottime_ns == in_container.boottime_ns);
}

TEST_CASE("sampler: the operator's line rate stands over the kernel's") {
  Sampler sampler{100};
  Snapshot virtual_machine = first();
  CHECK_FALSE(sampler.take(virtual_machine, 1'000'000'000).network.has_value());
  virtual_machine.network = lvs::agentproto::Network{.received_bytes = 7};
  CHECK(sampler.take(virtual_machine).network->line_rate_bits == 0);
  CHECK(sampler.take(virtual_machine, 1'000'000'000).network->line_rate_bits == 1'000'000'000);
  CHECK(sampler.take(virtual_machine, 1'000'000'000).network->received_bytes == 7);
}
