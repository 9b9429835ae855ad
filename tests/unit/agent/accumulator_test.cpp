#include <cstdint>
#include <map>
#include <vector>

#include <rapidcheck.h>

#include "agentproto/sample.hpp"
#include "realserver-agent/cpu_accumulator.hpp"
#include "realserver-agent/disk_accumulator.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;
using lvs::agentproto::CpuTimes;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t day = 86400 * second;
using Cpus = std::map<int, CpuTicks>;

CpuTimes add(CpuAccumulator& accumulator, const Cpus& cpus) {
  return accumulator.add(cpus, day).value();
}

}  // namespace

TEST_CASE("cpu accumulator: idle beyond the uptime is refused and changes nothing") {
  const auto [idle, iowait] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{9108277443016522871U, 0},
                                                    {15520337190284411903U, 0},
                                                    {0, 15520337190284411903U},
                                                    {0x8000000000000000U, 0x8000000000000000U},
                                                    {8'800'000, 0},
                                                    {5'000'000, 5'000'000}}));
  CpuAccumulator accumulator{100};
  const Cpus good{{0, {.user = 10, .idle = 100}}};
  const auto before = add(accumulator, good);
  Cpus bad = good;
  bad[1] = {.user = 5, .idle = idle, .iowait = iowait};
  CHECK_FALSE(accumulator.add(bad, day));
  CHECK(add(accumulator, good) == before);
}

TEST_CASE("cpu accumulator: idle may be a little longer than the uptime") {
  CpuAccumulator accumulator{100};
  CHECK(accumulator.add({{0, {.idle = 8'700'000}}}, day));
  CHECK(accumulator.add({{0, {.idle = 8'700'000}}, {1, {.idle = 90}}}, day));
}

TEST_CASE("cpu accumulator: the summary line is bounded by the most CPUs there can be") {
  CpuAccumulator accumulator{100};
  CHECK(accumulator.add({{all_cpus, {.idle = 64U * 8'640'000}}}, day));
  CHECK_FALSE(accumulator.add({{all_cpus, {.idle = 9108277443016522871U}}}, day));
}

TEST_CASE("cpu accumulator: the first call gives the sums since boot") {
  CpuAccumulator accumulator{100};
  const auto sums =
      add(accumulator, {{0, {1, 2, 3, 4, 5, 6, 7, 8}}, {2, {1, 1, 1, 1, 1, 1, 1, 1}}});
  CHECK(sums == CpuTimes{2, 100, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("cpu accumulator: a wait that is booked as idle later is idle once") {
  CpuAccumulator accumulator{100};
  const auto before =
      add(accumulator, {{0, {.user = 200, .system = 100, .idle = 5000, .iowait = 9000}}});
  const auto after =
      add(accumulator, {{0, {.user = 230, .system = 110, .idle = 5300, .iowait = 8860}}});
  CHECK(after.not_busy() - before.not_busy() == 160);
  CHECK(after.total() - before.total() == 200);
  CHECK(after.iowait >= before.iowait);
}

TEST_CASE("cpu accumulator: idle and iowait that both step back add nothing") {
  CpuAccumulator accumulator{100};
  const auto before = add(accumulator, {{0, {.user = 1, .idle = 500, .iowait = 50}}});
  const auto after = add(accumulator, {{0, {.user = 11, .idle = 400, .iowait = 40}}});
  CHECK(after.not_busy() == before.not_busy());
  CHECK(after.user == before.user + 10);
}

TEST_CASE("cpu accumulator: CPUs are matched by number and may come and go") {
  CpuAccumulator accumulator{100};
  const auto before = add(accumulator, {{0, {.user = 100, .idle = 1000}},
                                        {1, {.user = 700, .idle = 7000}},
                                        {2, {.user = 300, .idle = 3000}}});
  const auto gone =
      add(accumulator, {{0, {.user = 110, .idle = 1030}}, {2, {.user = 310, .idle = 3030}}});
  CHECK(gone.cpus == 2);
  CHECK(gone.user - before.user == 20);
  CHECK(gone.idle - before.idle == 60);

  const auto back = add(accumulator, {{0, {.user = 120, .idle = 1060}},
                                      {1, {.user = 700, .idle = 9000}},
                                      {2, {.user = 320, .idle = 3060}}});
  CHECK(back.cpus == 3);
  CHECK(back.user - gone.user == 20);
  CHECK(back.idle - gone.idle == 60);
}

TEST_CASE("cpu accumulator: no sum ever steps back") {
  REQUIRE(rc::check([] {
    CpuAccumulator accumulator{100};
    CpuTimes last{};
    const auto calls = *rc::gen::inRange(1, 12);
    for (int call = 0; call < calls; ++call) {
      Cpus cpus;
      const auto count = *rc::gen::inRange(1, 5);
      for (int i = 0; i < count; ++i) {
        const auto ticks = [] { return *rc::gen::inRange<std::uint64_t>(0, 4'000'000); };
        cpus[*rc::gen::inRange(0, 6)] = {ticks(), ticks(), ticks(), ticks(),
                                         ticks(), ticks(), ticks(), ticks()};
      }
      const auto sums = add(accumulator, cpus);
      RC_ASSERT(sums.user >= last.user && sums.nice >= last.nice && sums.system >= last.system);
      RC_ASSERT(sums.idle >= last.idle && sums.iowait >= last.iowait);
      RC_ASSERT(sums.irq >= last.irq && sums.softirq >= last.softirq && sums.steal >= last.steal);
      last = sums;
    }
  }));
}

TEST_CASE("disk accumulator: adds what the busiest disk did") {
  DiskAccumulator accumulator;
  CHECK(accumulator.add({{"sda", 1000}, {"sdb", 5000}}) == 5000);
  CHECK(accumulator.add({{"sda", 1900}, {"sdb", 5100}}) == 5900);
  CHECK(accumulator.add({{"sda", 1900}, {"sdb", 5100}}) == 5900);
  CHECK(accumulator.add({{"sda", 1950}, {"sdc", 800000}}) == 5950);
}

TEST_CASE("disk accumulator: a counter that wrapped goes on and one that restarted does not") {
  DiskAccumulator accumulator;
  const std::uint64_t near_wrap = 0xFFFFFFFFU - 99;
  CHECK(accumulator.add({{"sda", near_wrap}}) == near_wrap);
  CHECK(accumulator.add({{"sda", 50}}) == near_wrap + 150);
  CHECK(accumulator.add({{"sda", 10}}) == near_wrap + 150);
}
