#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <rapidcheck.h>

#include "agentproto/reading.hpp"
#include "agentproto/sample.hpp"
#include "support/catch.hpp"

using namespace lvs::agentproto;

namespace {

Sample sample_at(std::uint64_t seconds) {
  Sample sample{.boottime_ns = seconds * 1'000'000'000};
  sample.cpu = CpuTimes{
      .cpus = 2, .user_hz = 100, .user = 1000, .system = 500, .idle = 90000, .iowait = 800};
  sample.memory = Memory{.total_kb = 1000, .available_kb = 250};
  return sample;
}

/// Two seconds later: 100 busy ticks, 300 idle.
Sample later() {
  Sample sample = sample_at(102);
  sample.cpu->user += 80;
  sample.cpu->system += 20;
  sample.cpu->idle += 250;
  sample.cpu->iowait += 50;
  return sample;
}

}  // namespace

TEST_CASE("reading: C is unknown where two samples cannot be compared") {
  struct Case {
    std::string reason;
    std::function<void(Sample&, Sample&)> change;
  };
  const auto [reason, change] = GENERATE(values<Case>({
      {"the real server was restarted", [](Sample&, Sample& after) { after.boot_id[0] = 1; }},
      {"the samples are out of order", [](Sample&, Sample& after) { after.boottime_ns = 1; }},
      {"no CPU counters that can be trusted", [](Sample&, Sample& after) { after.cpu.reset(); }},
      {"no CPU counters that can be trusted", [](Sample& before, Sample&) { before.cpu.reset(); }},
      {"no tick passed between the samples", [](Sample& before, Sample& after) { after = before; }},
      {"a CPU counter went back", [](Sample&, Sample& after) { after.cpu->user = 999; }},
      {"a CPU counter went back", [](Sample&, Sample& after) { after.cpu->idle = 89000; }},
      {"a CPU counter went back", [](Sample& before, Sample&) { before.cpu->steal = 1; }},
      {"the CPU counters were set anew",
       [](Sample&, Sample& after) {
         after.cpu->cpus = 3;
         after.cpu->idle += 45000;
       }},
      {"the CPU limit is new",
       [](Sample&, Sample& after) { after.cgroup = CgroupLimits{.cpus_x1000 = 1000}; }},
      {"the cgroup's CPU time went back",
       [](Sample& before, Sample& after) {
         before.cgroup = CgroupLimits{.usage_us = 2, .cpus_x1000 = 1000};
         after.cgroup = CgroupLimits{.usage_us = 1, .cpus_x1000 = 1000};
       }},
      {"no time passed between the samples",
       [](Sample& before, Sample& after) {
         before.cgroup = after.cgroup = CgroupLimits{.usage_us = 2, .cpus_x1000 = 1000};
         after.boottime_ns = before.boottime_ns;
       }},
  }));
  Sample before = sample_at(100);
  Sample after = later();
  change(before, after);
  const auto measured = measured_from_samples(before, after);
  CHECK_FALSE(measured.cpu_busy.has_value());
  CHECK(measured.reason == reason);
  CHECK(measured.mem_available == Approx(0.25));
}

TEST_CASE("reading: M is unknown where the figures are missing and C is not") {
  Sample after = later();
  after.memory = GENERATE(values<std::optional<Memory>>({std::nullopt, Memory{}}));
  const auto measured = measured_from_samples(sample_at(100), after);
  CHECK_FALSE(measured.mem_available.has_value());
  CHECK(measured.cpu_busy == Approx(0.25));
  CHECK(measured.reason == "no memory figures that can be trusted");
}

TEST_CASE("reading: both measures unknown give both reasons") {
  CHECK(measured_from_samples(Sample{}, Sample{}).reason ==
        "no CPU counters that can be trusted; no memory figures that can be trusted");
}

TEST_CASE("reading: iowait is idle and steal is busy") {
  Sample after = later();
  after.cpu->steal += 100;
  const auto measured = measured_from_samples(sample_at(100), after);
  CHECK(measured.cpu_busy == Approx(0.4));
  CHECK(measured.reason.empty());
}

TEST_CASE("reading: idle and iowait are one quantity") {
  Sample after = later();
  after.cpu->iowait -= 100;
  after.cpu->idle += 100;
  CHECK(measured_from_samples(sample_at(100), after).cpu_busy == Approx(0.25));
}

TEST_CASE("reading: a CPU that came or went without a jump changes nothing") {
  Sample after = later();
  after.cpu->cpus = GENERATE(as<std::uint16_t>{}, 1, 2, 3);
  CHECK(measured_from_samples(sample_at(100), after).cpu_busy == Approx(0.25));
}

TEST_CASE("reading: under a CPU limit the cgroup's use counts") {
  Sample before = sample_at(100);
  Sample after = later();
  before.cgroup = CgroupLimits{.usage_us = 1'000'000};
  const auto [usage_us, cpus_x1000, busy] =
      GENERATE(table<std::uint64_t, std::uint64_t, double>({{1'500'000, 500, 0.5},
                                                            {2'000'000, 4000, 0.125},
                                                            {1'000'000, 500, 0.0},
                                                            {9'000'000, 500, 1.0}}));
  after.cgroup = CgroupLimits{.usage_us = usage_us, .cpus_x1000 = cpus_x1000};
  CHECK(measured_from_samples(before, after).cpu_busy == Approx(busy));
}

TEST_CASE("reading: under a memory limit the cgroup's use counts") {
  const auto [limit_kb, used_kb, available] = GENERATE(table<std::uint64_t, std::uint64_t, double>(
      {{1000, 250, 0.75}, {1000, 1200, 0.0}, {1000, 0, 1.0}, {0, 900, 0.25}}));
  Sample after = later();
  after.cgroup = CgroupLimits{.memory_limit_kb = limit_kb, .memory_used_kb = used_kb};
  CHECK(measured_from_samples(sample_at(100), after).mem_available == Approx(available));
}

TEST_CASE("reading: more available than there is counts as all") {
  Sample after = later();
  after.memory->available_kb = 2000;
  CHECK(measured_from_samples(sample_at(100), after).mem_available == Approx(1.0));
}

TEST_CASE("reading: measures are fractions or have a reason") {
  REQUIRE(rc::check([] {
    const auto field = [] { return *rc::gen::inRange<std::uint64_t>(0, 1000); };
    const auto any = [&field](std::uint64_t boottime_ns) {
      Sample sample{.boottime_ns = boottime_ns};
      sample.cpu =
          CpuTimes{2, 100, field(), field(), field(), field(), field(), field(), field(), field()};
      sample.memory = Memory{.total_kb = field(), .available_kb = field()};
      return sample;
    };
    const auto measured = measured_from_samples(any(1), any(1'000'000'001));
    for (const auto& value : {measured.cpu_busy, measured.mem_available}) {
      if (value) RC_ASSERT(*value >= 0.0 && *value <= 1.0);
    }
    RC_ASSERT(measured.reason.empty() ==
              (measured.cpu_busy.has_value() && measured.mem_available.has_value()));
  }));
}
