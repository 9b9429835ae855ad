#include "monitord/history.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include "monitord/duration_histogram.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

namespace {

const auto first = id("tcp 10.9.9.9:80", "10.0.0.11:80");

CycleReport cycle(Moment now, std::uint64_t new_connections = 1) {
  auto made = report(1);
  made.now = now;
  made.verdicts.resize(1);
  made.verdicts[0].new_connections = new_connections;
  return made;
}

}  // namespace

TEST_CASE("history: empty, or about a destination that never was, it has no series") {
  History history;
  CHECK(history.series(first).empty());
  history.add(cycle(1s));
  CHECK(history.series(id("tcp 10.9.9.9:80", "10.0.0.99:80")).empty());
}

TEST_CASE("history: a point has the numbers of its verdict, and NaN for what is unknown") {
  History history;
  history.add(report(4));
  const auto known = history.series(first).at(0);
  CHECK(known.point.weight == 10);
  CHECK(known.point.target == Approx(14));
  CHECK(known.point.mem_available == Approx(0.5));
  CHECK(known.wall_time == Approx(report(4).wall_time));
  const auto silent = history.series(id("tcp 10.9.9.9:80", "10.0.0.12:80")).at(0);
  CHECK(silent.point.weight == 10);
  CHECK(std::isnan(silent.point.cpu_busy));
  CHECK(std::isnan(silent.point.target));
}

TEST_CASE("history: an hour is kept, and no more") {
  History history;
  for (int i = 0; i < 4000; ++i)
    history.add(cycle(i * 2s));
  CHECK(history.frames().size() == 1801);
  CHECK(history.frames().back()->now - history.frames().front()->now == 1h);
  CHECK(history.series(first, history.frames().back()->now - 10min).size() == 301);
}

TEST_CASE("history: shorter cycles are kept every other second with all their connections") {
  History history;
  for (int i = 0; i <= 100; ++i)
    history.add(cycle(i * 100ms));
  const auto series = history.series(first);
  REQUIRE(series.size() == 7);  // every 1.5 s of 10 s
  CHECK(series.at(0).point.new_connections == 1);
  CHECK(series.at(1).point.new_connections == 15);
}

TEST_CASE("history: a large table is kept more rarely, so that the hour stays whole") {
  History history;
  auto large = cycle(0s);
  for (unsigned i = 0; i < 5'000; ++i) {
    auto one = large.verdicts.front();
    one.destination.port = static_cast<std::uint16_t>(i % 50'000);
    one.destination.address.bytes[3] = static_cast<std::uint8_t>(i / 50'000);
    large.verdicts.push_back(one);
  }
  large.verdicts.erase(large.verdicts.begin());
  for (int i = 0; i < 60; ++i) {
    large.now = i * 2s;
    history.add(large);
  }
  // 5,000 x 100 points are half a million: one frame in 36 s.
  CHECK(history.frames().size() == 4);
}

TEST_CASE("history: a table that cannot be read leaves a gap") {
  History history;
  history.add(cycle(0s));
  auto lost = CycleReport{};
  lost.now = 2s;
  lost.degraded = "no ip_vs";
  history.add(lost);
  history.add(cycle(4s));
  CHECK(history.frames().size() == 2);
}

TEST_CASE("history: a destination that comes and goes has points while it was there") {
  History history;
  for (int i = 0; i < 6; ++i) {
    auto now = report(1);
    now.now = i * 2s;
    if (i == 2 || i == 3) now.verdicts.erase(now.verdicts.begin());
    history.add(now);
  }
  const auto series = history.series(first);
  REQUIRE(series.size() == 4);
  CHECK(series[1].now == 2s);
  CHECK(series[2].now == 8s);
  CHECK(history.series(id("udp [fd00::9]:53", "[fd00::11]:53")).size() == 6);
}

TEST_CASE("history: the order of the verdicts does not matter") {
  History history;
  auto now = report(1);
  history.add(now);
  std::swap(now.verdicts.front(), now.verdicts.back());
  now.now += 2s;
  history.add(now);
  CHECK(history.frames().at(0)->ids == history.frames().at(1)->ids);
  CHECK(history.series(first).size() == 2);
}

TEST_CASE("history: a copy stays as it was") {
  History history;
  history.add(cycle(0s));
  const auto copy = history;
  history.add(cycle(2s));
  history.add(HistoryEvent{});
  CHECK(copy.frames().size() == 1);
  CHECK(copy.events().empty());
}

TEST_CASE("history: the last 200 events are kept") {
  History history;
  for (int i = 0; i < 250; ++i)
    history.add(HistoryEvent{static_cast<double>(i), {}});
  REQUIRE(history.events().size() == 200);
  CHECK(history.events().front()->wall_time == Approx(50));
}

TEST_CASE("history: the last write of a destination outlives the events and moves with the table") {
  const auto write = [](double at, std::string destination) {
    return HistoryEvent{
        at,
        {LogLevel::info,
         "weight",
         {{"service", "tcp 10.9.9.9:80"}, {"destination", std::move(destination)}}}};
  };
  History history;
  history.add(cycle(0s));
  history.add(write(1, "10.0.0.11:80"));
  history.add(write(2, "10.0.0.99:80"));  // is not in the table
  history.add(cycle(2s));
  const auto copy = history;
  for (int i = 0; i < 250; ++i)
    history.add(HistoryEvent{static_cast<double>(i), {}});
  history.add(report(2));  // more destinations
  REQUIRE(history.last_write(first) != nullptr);
  CHECK(history.last_write(first)->wall_time == Approx(1));
  CHECK(history.last_write(id("tcp 10.9.9.9:80", "10.0.0.99:80")) == nullptr);
  CHECK(history.last_write(id("tcp 10.9.9.9:80", "10.0.0.12:80")) == nullptr);
  history.add(write(9, "10.0.0.11:80"));
  auto later = report(3);
  history.add(later);
  CHECK(history.last_write(first)->wall_time == Approx(9));
  CHECK(copy.last_write(first)->wall_time == Approx(1));
}

TEST_CASE("history: a point knows the time since the frame before") {
  History history;
  history.add(cycle(0s));
  history.add(cycle(2s));
  history.add(cycle(7s));
  const auto series = history.series(first, 1s);
  REQUIRE(series.size() == 2);
  CHECK(series[0].after == 2s);
  CHECK(series[1].after == 5s);
  CHECK(history.series(first).front().after == Moment{});
}

TEST_CASE("durations: each falls into the bucket whose bound it does not exceed") {
  DurationHistogram times;
  CHECK(times.quantile(0.5) == Approx(0));
  times.add(0.001);
  times.add(0.0011);
  times.add(3);
  CHECK(times.counts.front() == 1);
  CHECK(times.counts.at(1) == 1);
  CHECK(times.counts.back() == 1);
  CHECK(times.count() == 3);
  CHECK(times.sum_s == Approx(3.0021));
  CHECK(times.quantile(0.3) == Approx(0.001));
  CHECK(times.quantile(0.6) == Approx(0.0025));
  CHECK(std::isinf(times.quantile(0.99)));
}
