#include "clustersim/summary.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "clustersim/event_text.hpp"
#include "support/catch.hpp"

using namespace lvs::clustersim;

namespace {

/// Cycles of 2 s.
std::vector<SeriesPoint> series_of(const std::vector<double>& means) {
  std::vector<SeriesPoint> series;
  for (const double mean : means)
    series.push_back({.at_s = 2 * static_cast<double>(series.size() + 1), .mean_ms = mean});
  return series;
}

}  // namespace

TEST_CASE("summary: the median is the middle value or the mean of the two") {
  using Values = std::vector<double>;
  const auto [values, expected] = GENERATE(table<Values, double>({
      {Values{}, 0},
      {{4}, 4},
      {{4, 1}, 2.5},
      {{9, 1, 5}, 5},
      {{1, 9, 5, 7}, 6},
      {{2, 2, 2, 1000}, 2},
  }));
  CHECK(median(values) == expected);
}

TEST_CASE("summary: every figure has a median of its own") {
  const std::vector<Figures> runs{{1, 10, 3, 60, 90, 100, 0, 1, 0.5, 20, 4, 0.1},
                                  {2, 30, 1, 50, 80, 102, 5, 2, 0.1, 10, 2, 0.3},
                                  {3, 20, 2, 40, 70, 101, 1, 0, 0.3, 30, 6, 0.2}};
  CHECK(medians_of(runs) == Figures{0, 20, 2, 50, 80, 101, 1, 1, 0.3, 20, 4, 0.2});
  CHECK(medians_of({}) == Figures{});
}

TEST_CASE("summary: figures are those of the run") {
  RunResult run;
  run.seed = 5;
  run.mean_ms = 1;
  run.p50_ms = 2;
  run.p95_ms = 2.5;
  run.p99_ms = 3;
  run.arrived = 4;
  run.failed = 5;
  run.unfinished = 6;
  run.writes_per_server_minute = 7;
  run.settle_s = 8;
  run.share_error = 9;
  run.answered_by_server = {3, 1};
  CHECK(figures_of(run) == Figures{5, 1, 2, 2.5, 3, 4, 5, 6, 7, 8, 0, 9, {3, 1}});
}

TEST_CASE("summary: latency is calm from the first quiet window on") {
  using Means = std::vector<double>;
  const auto [means, expected] = GENERATE(table<Means, double>({
      {Means{}, 0},
      {{10, 10, 10}, 6},  // too short to tell
      {{10, 10, 10, 10, 10, 10}, 0},
      {{400, 300, 100, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, 4},
      {{900, 900, 900, 900, 900, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, 10},
  }));
  CHECK(calm_s(series_of(means)) == expected);
}

TEST_CASE("summary: events are told in words") {
  const auto [event, expected] = GENERATE(table<Event, std::string>({
      {{.at_s = 150, .server = 0, .background = 0.6}, "150 s: server 0: background 0.6"},
      {{.at_s = 1.5, .over_s = 200, .server = 2, .memory_used = 0.9},
       "1.5 s: server 2: memory used 0.9 over 200 s"},
      {{.at_s = 1, .server = 3, .speed = 0.4, .agent_answers = false, .weight = 0, .up = false},
       "1 s: server 3: speed 0.4, agent silent, weight 0, down"},
      {{.at_s = 1, .server = 3, .agent_answers = true, .up = true}, "1 s: server 3: agent up, up"},
      {{.at_s = 9, .over_s = 30, .load = 0.9, .request_mean_s = 0.12},
       "9 s: load 0.9, requests of 120 ms over 30 s"},
  }));
  CHECK(string_from_event(event) == expected);
}
