#include "monitord/cycle_log.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/log_limiter.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service_key;

namespace {

Verdict verdict_at(const std::string& destination, ReadingState reading, Outcome outcome) {
  Verdict verdict;
  verdict.service = service_key("tcp 10.9.9.9:80");
  verdict.destination = destination_key(destination);
  verdict.server = "web1";
  verdict.base = 10;
  verdict.current = 10;
  verdict.reading = reading;
  verdict.outcome = outcome;
  verdict.reason = "because";
  return verdict;
}

CycleReport report_with(std::vector<Verdict> verdicts) {
  CycleReport report;
  report.verdicts = std::move(verdicts);
  return report;
}

std::vector<std::string> texts(const std::vector<LogLine>& lines) {
  std::vector<std::string> all;
  for (auto const& line : lines)
    all.push_back(string_from_log_line(line));
  return all;
}

std::vector<std::string> said(const CycleReport& before, const CycleReport& now) {
  return texts(lines_from_cycle(before, now));
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("log line: whatever a value holds it stays one line") {
  auto const [value, text] = GENERATE(table<std::string, std::string>({
      {"", "event key=\"\""},
      {"plain", "event key=plain"},
      {"10.0.0.11:80", "event key=10.0.0.11:80"},
      {"[fd00::1]:80", "event key=[fd00::1]:80"},
      {"two words", "event key=\"two words\""},
      {"a=b", "event key=\"a=b\""},
      {"a\nb", "event key=\"a\\nb\""},
      {"say \"hi\"", "event key=\"say \\\"hi\\\"\""},
      {"back\\slash", "event key=\"back\\\\slash\""},
      {"\x1b[31m", "event key=\"\\x1b[31m\""},
  }));
  CHECK(string_from_log_line({LogLevel::info, "event", {{"key", value}}}) == text);
}

TEST_CASE("cycle log: nothing that stays is said") {
  auto const report =
      report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::unchanged),
                   verdict_at("10.0.0.12:80", ReadingState::silent, Outcome::frozen),
                   verdict_at("10.0.0.13:80", ReadingState::fresh, Outcome::drained)});
  CHECK(said(report, report).empty());
}

TEST_CASE("cycle log: a weight is written with the numbers that led to it") {
  auto verdict = verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::change);
  verdict.cpu_busy = 0.75;
  verdict.mem_available = 0.5;
  verdict.composite = 0.35;
  verdict.input = 1.5;
  verdict.capacity = 12.25;
  auto const before = report_with({verdict});
  auto report = before;
  report.applied = {{verdict.service,
                     {verdict.destination, 10, 7, "less to spare"},
                     Applied::Result::written,
                     {}}};
  CHECK(said(before, report) ==
        Lines{"weight service=\"tcp 10.9.9.9:80\" destination=10.0.0.11:80 old=10 new=7 C=0.750 "
              "M=0.500 F=0.350 INPUT=1.500 capacity=12.250 base=10 verdict=change reason=\"less to "
              "spare\""});

  report.applied[0].result = Applied::Result::failed;
  report.applied[0].error = "refused";
  auto const failed = lines_from_cycle(before, report);
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].level == LogLevel::warning);
  CHECK(failed[0].event == "write_failed");
  CHECK(failed[0].fields.back().second == "refused");
}

TEST_CASE("cycle log: a dry run says a proposal once") {
  auto verdict = verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::change);
  verdict.write = 7;
  auto report = report_with({verdict});
  report.applied = {
      {verdict.service, {verdict.destination, 10, 7, "less"}, Applied::Result::dry_run, {}}};
  auto const quiet =
      report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::unchanged)});
  CHECK(said(quiet, report).size() == 1);
  CHECK(said(report, report).empty());
  auto other = report;
  other.verdicts[0].write = 6;
  other.applied[0].change.to = 6;
  CHECK(said(report, other).size() == 1);
}

TEST_CASE("cycle log: a zero that waits for the disk is said once") {
  auto const verdict = verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::hand_drain);
  auto const quiet = report_with({verdict});
  auto waiting = quiet;
  waiting.applied = {
      {verdict.service, {verdict.destination, 10, 0, "drained"}, Applied::Result::unrecorded, {}}};
  auto const first = lines_from_cycle(quiet, waiting);
  REQUIRE(first.size() == 1);
  CHECK(first[0].level == LogLevel::warning);
  CHECK(first[0].event == "zero_postponed");
  CHECK(said(waiting, waiting).empty());
  auto set = quiet;
  set.applied = waiting.applied;
  set.applied[0].result = Applied::Result::written;
  CHECK(said(waiting, set).size() == 1);
}

TEST_CASE("cycle log: a server with many destinations goes silent in one line") {
  auto const fresh =
      report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::unchanged),
                   verdict_at("10.0.0.11:443", ReadingState::fresh, Outcome::unchanged)});
  auto const silent =
      report_with({verdict_at("10.0.0.11:80", ReadingState::silent, Outcome::silent_base),
                   verdict_at("10.0.0.11:443", ReadingState::silent, Outcome::silent_base)});
  CHECK(said(fresh, silent) == Lines{"reading server=web1 address=10.0.0.11 old=fresh new=silent"});
  CHECK(said(silent, fresh) == Lines{"reading server=web1 address=10.0.0.11 old=silent new=fresh"});
}

TEST_CASE("cycle log: drained and frozen and foreign are said when they begin and end") {
  auto const calm =
      report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::unchanged)});
  auto const in = [&](Outcome outcome) {
    return report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, outcome)});
  };
  auto const line = [](const std::string& event, const std::string& verdict) {
    return Lines{
        event + " service=\"tcp 10.9.9.9:80\" destination=10.0.0.11:80 weight=10 base=10 verdict=" +
        verdict + " reason=because"};
  };
  CHECK(said(calm, in(Outcome::drained)) == line("drained", "drained"));
  CHECK(said(in(Outcome::drained), calm) == line("undrained", "unchanged"));
  CHECK(said(in(Outcome::drained), in(Outcome::foreign)) == line("undrained", "foreign"));
  CHECK(said(calm, in(Outcome::foreign)) == line("foreign_write", "foreign"));
  CHECK(said(calm, in(Outcome::frozen)) == Lines{"frozen service=\"tcp 10.9.9.9:80\""});
  CHECK(said(in(Outcome::frozen), calm) == Lines{"thawed service=\"tcp 10.9.9.9:80\""});
}

TEST_CASE("cycle log: the table goes once and comes back once") {
  auto const calm =
      report_with({verdict_at("10.0.0.11:80", ReadingState::silent, Outcome::silent_base)});
  CycleReport lost;
  lost.degraded = "no ip_vs";
  CHECK(said(calm, lost) == Lines{"table_unreadable error=\"no ip_vs\""});
  CHECK(said(lost, lost).empty());
  CHECK(said(lost, report_with({})) == Lines{"table_readable"});
}

TEST_CASE("cycle log: a note is said when it is new") {
  CycleReport one;
  one.notes = {"no keys"};
  auto two = one;
  two.notes.emplace_back("disk full");
  CHECK(said({}, one) == Lines{"note text=\"no keys\""});
  CHECK(said(one, two) == Lines{"note text=\"disk full\""});
  CHECK(said(two, one).empty());
}

TEST_CASE("cycle log: a note that only counts on is no news") {
  CycleReport before;
  before.notes = {"recording fails: 9 cycles lost so far"};
  auto after = before;
  after.notes = {"recording fails: 10 cycles lost so far"};
  CHECK(said(before, after).empty());
  after.notes = {"recording works, but 10 cycles were lost"};
  CHECK(said(before, after) == Lines{"note text=\"recording works, but 10 cycles were lost\""});
}

TEST_CASE("cycle log: right after the start a frozen pool is no event") {
  auto const waiting =
      report_with({verdict_at("10.0.0.11:80", ReadingState::none, Outcome::frozen)});
  auto const calm =
      report_with({verdict_at("10.0.0.11:80", ReadingState::fresh, Outcome::unchanged)});
  CHECK(said({}, waiting).empty());
  CHECK(said(waiting, calm) == Lines{"reading server=web1 address=10.0.0.11 old=none new=fresh"});
}

TEST_CASE("cycle log: a refused configuration is one line per problem") {
  CHECK(lines_from_refusal("").empty());
  CHECK(texts(lines_from_refusal("a.yaml:3:1: error: unknown key \"x\"\n"
                                 "    3 | x: 1\n      | ^\n      hint: known keys: y\n"
                                 "a.yaml:4:1: error: no\n1 error in a.yaml")) ==
        Lines{"reload_refused problem=\"a.yaml:3:1: error: unknown key \\\"x\\\"\" "
              "hint=\"known keys: y\"",
              "reload_refused problem=\"a.yaml:4:1: error: no\"",
              "reload_refused problem=\"1 error in a.yaml\""});
}

TEST_CASE("cycle log: bad replies are counted by kind") {
  PollCounters logged;
  logged.bad_mac = 3;
  auto now = logged;
  now.bad_mac = 10;
  now.malformed = 1;
  now.timeouts = 7;
  CHECK(texts(lines_from_faults(logged, now, {{"bad_mac", "10.0.0.11:6353 for web1"}})) ==
        Lines{"bad_reply kind=bad_mac count=7 last_from=\"10.0.0.11:6353 for web1\"",
              "bad_reply kind=malformed count=1 last_from=-"});
  CHECK(lines_from_faults(now, now, {}).empty());
}

TEST_CASE("log limiter: a repeated warning comes once a minute and says how many") {
  LogLimiter limiter;
  LogLine const warning{LogLevel::warning, "write_failed", {{"service", "a"}, {"error", "x"}}};
  CHECK(limiter.passed(warning, 0s) == warning);
  CHECK_FALSE(limiter.passed(warning, 2s).has_value());
  CHECK_FALSE(limiter.passed(warning, 59s).has_value());
  auto other = warning;
  other.fields[0].second = "b";
  CHECK(limiter.passed(other, 3s) == other);
  auto counted = warning;
  counted.fields.emplace_back("left_out", "2");
  CHECK(limiter.passed(warning, 60s) == counted);
  LogLine const change{LogLevel::info, "weight", {{"service", "a"}}};
  CHECK(limiter.passed(change, 0s) == change);
  CHECK(limiter.passed(change, 0s) == change);
}

TEST_CASE("log limiter: somebody who edits in every cycle does not fill the log") {
  LogLimiter limiter;
  const auto* const event = GENERATE("foreign_write", "write_dropped");
  LogLine const edit{LogLevel::info, event, {{"service", "a"}, {"destination", "b"}}};
  CHECK(limiter.passed(edit, 0s) == edit);
  CHECK_FALSE(limiter.passed(edit, 2s).has_value());
  auto counted = edit;
  counted.fields.emplace_back("left_out", "1");
  CHECK(limiter.passed(edit, 60s) == counted);
}

TEST_CASE("cycle clock: deadlines neither drift nor burst") {
  auto const [now, next] = GENERATE(table<Moment, Moment>({
      {100s, 102s},
      {101999ms, 102s},
      {102s, 104s},  // on the very deadline: it is over
      {103s, 104s},
      {109s, 110s},
      {3700s, 3702s},  // an hour's suspend is one late cycle
  }));
  CHECK(next_deadline(100s, 2s, now) == next);
}
