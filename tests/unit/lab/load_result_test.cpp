#include "lab/tools/load_result.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace lvs::lab;

Outcome answered(double planned, double latency, const std::string& server) {
  return {.planned = planned, .latency = latency, .server = server, .failure = {}};
}

}  // namespace

TEST_CASE("windows: what cannot be read is refused") {
  auto const* text = GENERATE("", "5", "5-", "-5", "5-5", "6-5", "a-b", "0-1,", ",0-1", "0-1;2-3",
                              "-1-2", "0-1x", "nan-nan");
  INFO(text);
  CHECK_FALSE(windows_from_text(text).has_value());
}

TEST_CASE("windows: several may be given and may overlap") {
  auto const windows = windows_from_text("0-10,5-7.5");
  REQUIRE(windows.has_value());
  CHECK(*windows == std::vector<Window>{{0, 10}, {5, 7.5}});
}

TEST_CASE("response: only a complete answer of status 200 has a server") {
  auto const* text =
      GENERATE("", "HTTP/1.0 200 OK\r\n", "HTTP/1.0 503 Busy\r\n\r\nrs1\n", "200 \r\n\r\nrs1\n",
               "HTTP/1.0 503 Busy\r\nX: 200 \r\n\r\nrs1\n", "HTTP/1.0 200 OK\r\n\r\n");
  INFO(text);
  CHECK(server_from_response(text).empty());
}

TEST_CASE("response: a name is the first line reduced to harmless characters") {
  CHECK(server_from_response("HTTP/1.0 200 OK\r\nA: b\r\n\r\nrs1\nmore") == "rs1");
  CHECK(server_from_response("HTTP/1.1 200 OK\r\n\r\nr\"s\\-1._") == "rs-1._");
}

TEST_CASE("result: an empty window has zeros and no NaN") {
  auto const result = result_of_window({}, {0, 10});
  CHECK(result.answered == 0);
  CHECK(result.failed == 0);
  CHECK(result.mean == 0);
  CHECK(result.p99 == 0);
  CHECK(result.answers_per_second == 0);
}

TEST_CASE("result: a window counts by planned starts and excludes its end") {
  std::vector<Outcome> const outcomes{answered(0.9, 5, "a"), answered(1, 0.5, "a"),
                                      answered(1.9, 0.25, "b"), answered(2, 5, "a")};
  auto const result = result_of_window(outcomes, {1, 2});
  CHECK(result.answered == 2);
  CHECK(result.answers_per_second == 2);
  CHECK(result.mean == 375);
  CHECK(result.max == 500);
  CHECK(result.servers == std::map<std::string, std::size_t>{{"a", 1}, {"b", 1}});
}

TEST_CASE("result: failures are counted by reason and leave the latencies alone") {
  std::vector<Outcome> const outcomes{
      answered(0, 0.125, "a"),
      {.planned = 0.5, .latency = 10, .server = {}, .failure = "timeout"},
      {.planned = 0.6, .latency = 0, .server = {}, .failure = "refused"},
      {.planned = 0.7, .latency = 10, .server = {}, .failure = "timeout"}};
  auto const result = result_of_window(outcomes, {0, 1});
  CHECK(result.answered == 1);
  CHECK(result.failed == 3);
  CHECK(result.mean == 125);
  CHECK(result.failures == std::map<std::string, std::size_t>{{"refused", 1}, {"timeout", 2}});
}

TEST_CASE("result: percentiles are ranks of what was measured in any order") {
  std::vector<Outcome> outcomes;
  for (int i = 100; i > 0; --i)
    outcomes.push_back(answered(0, 0.001 * i, "a"));
  auto const result = result_of_window(outcomes, {0, 1});
  CHECK(result.p50 == Approx(51));
  CHECK(result.p95 == Approx(96));
  CHECK(result.p99 == Approx(100));
  CHECK(result.max == Approx(100));
}

TEST_CASE("result: the JSON is one line with the documented names") {
  RunResult run{.sent = 3, .peak_open = 2, .start_lag_ms = 0.5};
  run.windows.push_back(result_of_window(
      std::vector<Outcome>{answered(0, 0.01, "rs1"),
                           {.planned = 1, .latency = 10, .server = {}, .failure = "timeout"}},
      {0, 2}));
  CHECK(json_from_result(run) ==
        R"({"sent":3,"peak_open":2,"start_lag_ms":0.50,"windows":[{"from":0,"to":2,)"
        R"("answered":1,"failed":1,"answers_per_second":0.5,"mean_ms":10.00,"p50_ms":10.00,)"
        R"("p95_ms":10.00,"p99_ms":10.00,"max_ms":10.00,"servers":{"rs1":1},)"
        R"("failures":{"timeout":1}}]})");
}

TEST_CASE("response: complete is what has as many bytes as it says") {
  std::string const head = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\n";
  CHECK(is_complete(head + "rs1\n"));
  CHECK(is_complete(head + "rs1\nmore"));
  CHECK_FALSE(is_complete(head + "rs1"));
  CHECK_FALSE(is_complete(head.substr(0, head.size() - 1)));
  CHECK_FALSE(is_complete("HTTP/1.1 200 OK\r\n\r\nContent-Length: 0\r\n"));
  CHECK_FALSE(is_complete("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"));
  CHECK_FALSE(is_complete(""));
}
