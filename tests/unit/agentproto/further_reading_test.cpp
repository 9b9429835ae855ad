#include "agentproto/further_reading.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "agentproto/reading.hpp"
#include "agentproto/sample.hpp"
#include "loadcalc/further_measures.hpp"
#include "support/catch.hpp"

using namespace lvs::agentproto;
using lvs::loadcalc::FurtherMeasures;

namespace {

constexpr std::uint64_t gigabit = 1'000'000'000;

Sample sample_at(std::uint64_t seconds) {
  Sample sample{.boottime_ns = seconds * 1'000'000'000};
  sample.cpu = CpuTimes{.cpus = 4, .user = 1000, .idle = 9000};
  sample.pressure = Pressure{.cpu_some_us = 500'000, .memory_some_us = 70'000, .io_some_us = 900};
  sample.run_queue = RunQueue{.load1_x100 = 600};
  sample.network =
      Network{.received_bytes = 1'000'000, .sent_bytes = 2'000'000, .line_rate_bits = gigabit};
  sample.disk_busy_ms = 10'000;
  sample.processes = 214;
  return sample;
}

/// Two seconds later: 50 MB received and 125 MB sent, a disk busy for half the time, and stalls.
Sample later() {
  Sample sample = sample_at(102);
  sample.network->received_bytes += 50'000'000;
  sample.network->sent_bytes += 125'000'000;
  *sample.disk_busy_ms += 1000;
  sample.pressure->cpu_some_us += 200'000;
  sample.pressure->memory_some_us += 20'000;
  sample.pressure->io_some_us += 2'000'000;
  return sample;
}

FurtherMeasures measured_after(const std::function<void(Sample&, Sample&)>& change) {
  Sample before = sample_at(100);
  Sample after = later();
  change(before, after);
  return further_from_samples(before, after);
}

}  // namespace

TEST_CASE("further reading: no share comes from samples that cannot be compared") {
  const auto change = GENERATE(values<std::function<void(Sample&, Sample&)>>({
      [](Sample&, Sample& after) { after.boot_id[0] = 1; },
      [](Sample&, Sample& after) { after.boottime_ns = 1; },
      [](Sample& before, Sample& after) { after.boottime_ns = before.boottime_ns; },
      [](Sample& before, Sample& after) { after = before; },
  }));
  const auto measures = measured_after(change);
  CHECK(measures.processes == 214);
  CHECK(measures.load_per_cpu == Approx(1.5));
  CHECK(measures ==
        FurtherMeasures{.processes = measures.processes, .load_per_cpu = measures.load_per_cpu});
}

TEST_CASE("further reading: the network is unknown without a line or a counter to trust") {
  const auto change = GENERATE(values<std::function<void(Sample&, Sample&)>>({
      [](Sample& before, Sample&) { before.network.reset(); },
      [](Sample&, Sample& after) { after.network.reset(); },
      [](Sample& before, Sample& after) {
        before.network->line_rate_bits = after.network->line_rate_bits = 0;
      },
      [](Sample&, Sample& after) { after.network->line_rate_bits = 10 * gigabit; },
      [](Sample&, Sample& after) { after.network->received_bytes = 999'999; },
      [](Sample&, Sample& after) { after.network->sent_bytes = 0; },
      [](Sample&, Sample& after) { after.network->sent_bytes += 400'000'000; },
      [](Sample&, Sample& after) { after.network->received_bytes = UINT64_MAX; },
  }));
  const auto measures = measured_after(change);
  CHECK_FALSE(measures.network_utilisation.has_value());
  CHECK(measures.disk_utilisation == Approx(0.5));
}

TEST_CASE("further reading: the disk is unknown without a counter to trust") {
  const auto change = GENERATE(values<std::function<void(Sample&, Sample&)>>({
      [](Sample& before, Sample&) { before.disk_busy_ms.reset(); },
      [](Sample&, Sample& after) { after.disk_busy_ms.reset(); },
      [](Sample&, Sample& after) { after.disk_busy_ms = 9'999; },
      [](Sample&, Sample& after) { *after.disk_busy_ms += 4'000; },
  }));
  const auto measures = measured_after(change);
  CHECK_FALSE(measures.disk_utilisation.has_value());
  CHECK(measures.network_utilisation == Approx(0.5));
}

TEST_CASE("further reading: a pressure is unknown by itself") {
  CHECK_FALSE(
      measured_after([](Sample& before, Sample&) { before.pressure.reset(); }).cpu_pressure);
  CHECK_FALSE(measured_after([](Sample&, Sample& after) { after.pressure.reset(); }).io_pressure);
  const auto measures = measured_after([](Sample& before, Sample& after) {
    before.pressure->cpu_some_us = after.pressure->cpu_some_us + 1;
    after.pressure->io_some_us += 3'000'000;
  });
  CHECK_FALSE(measures.cpu_pressure.has_value());
  CHECK_FALSE(measures.io_pressure.has_value());
  CHECK(measures.memory_pressure == Approx(0.01));
}

TEST_CASE("further reading: load needs CPUs and processes a count") {
  const auto measures = measured_after([](Sample&, Sample& after) {
    after.cpu->cpus = 0;
    after.processes.reset();
  });
  CHECK_FALSE(measures.load_per_cpu.has_value());
  CHECK_FALSE(measures.processes.has_value());
  const auto no_cpu = measured_after([](Sample&, Sample& after) { after.cpu.reset(); });
  CHECK_FALSE(no_cpu.load_per_cpu.has_value());
}

TEST_CASE("further reading: shares are of the time and the line") {
  const auto measures = measured_after([](Sample&, Sample&) {});
  CHECK(measures.network_utilisation == Approx(0.5));  // 125 MB of 250 MB sent
  CHECK(measures.disk_utilisation == Approx(0.5));
  CHECK(measures.cpu_pressure == Approx(0.1));
  CHECK(measures.memory_pressure == Approx(0.01));
  CHECK(measures.io_pressure == Approx(1.0));
  CHECK(measures.load_per_cpu == Approx(1.5));
  CHECK(measures.processes == 214);
  CHECK_FALSE(measures.response_s.has_value());
}

TEST_CASE("further reading: files that were read a little later give no more than all") {
  const auto measures = measured_after([](Sample&, Sample& after) {
    *after.disk_busy_ms += 1'100;
    after.network->received_bytes += 210'000'000;
  });
  CHECK(measures.disk_utilisation == 1.0);
  CHECK(measures.network_utilisation == 1.0);
}

TEST_CASE("further reading: what is unknown beyond C and M gives no reason") {
  Sample before = sample_at(100);
  Sample after = later();
  before.network.reset();
  before.memory = after.memory = Memory{.total_kb = 10, .available_kb = 5};
  after.cpu->idle += 100;
  const auto measured = measured_from_samples(before, after);
  CHECK(measured.reason.empty());
  CHECK_FALSE(measured.further.network_utilisation.has_value());
  CHECK(measured.further.disk_utilisation == Approx(0.5));
}

TEST_CASE("further reading: shares are fractions or unknown") {
  REQUIRE(rc::check([] {
    const auto any = [](std::uint64_t boottime_ns) {
      const auto count = [] { return *rc::gen::arbitrary<std::uint64_t>(); };
      const auto near = [] { return *rc::gen::inRange<std::uint64_t>(0, 3'000'000); };
      Sample sample{.boottime_ns = boottime_ns};
      sample.cpu = CpuTimes{.cpus = *rc::gen::inRange<std::uint16_t>(0, 4)};
      sample.run_queue = RunQueue{.load1_x100 = *rc::gen::arbitrary<std::uint32_t>()};
      sample.pressure =
          Pressure{.cpu_some_us = near(), .memory_some_us = count(), .io_some_us = near()};
      sample.network = Network{near(), near(), *rc::gen::element<std::uint64_t>(0, 8, 10'000'000)};
      sample.disk_busy_ms = near();
      return sample;
    };
    const auto measures = further_from_samples(any(*rc::gen::arbitrary<std::uint64_t>()),
                                               any(*rc::gen::arbitrary<std::uint64_t>()));
    for (const auto& share :
         {measures.network_utilisation, measures.disk_utilisation, measures.cpu_pressure,
          measures.memory_pressure, measures.io_pressure}) {
      if (share) RC_ASSERT(*share >= 0.0 && *share <= 1.0);
    }
    if (measures.load_per_cpu) RC_ASSERT(*measures.load_per_cpu >= 0.0);
  }));
}
