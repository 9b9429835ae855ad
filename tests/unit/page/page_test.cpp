#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <string>
#include <string_view>

#include "golden.hpp"
#include "monitord/http_answer.hpp"
#include "monitord/page_events.hpp"
#include "monitord/page_head.hpp"
#include "monitord/page_index.hpp"
#include "monitord/page_row.hpp"
#include "monitord/page_server.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

lvs::ipvs::IpAddress address(std::string_view text) {
  return lvs::ipvs::ip_address_from_string(text).value();
}

Published with(CycleReport report) {
  auto value = published(3);
  value.report = std::make_shared<const CycleReport>(std::move(report));
  return value;
}

std::string banner(const Published& value) {
  return banner_html(banner_of(value, pools_of(*value.report, value.history)));
}

}  // namespace

TEST_CASE("page: everything on it, as it was looked at and found good") {
  const auto value = published(40);
  check_golden("index.html", index_page(value, {}));
  check_golden("server.html", server_page(value, address("10.0.0.11")).value());
  check_golden("events.html", events_page(value));
  check_golden("live.json", live_json(value, true) + "\n");
}

TEST_CASE("page: before the first cycle it says so") {
  const auto page = index_page({}, {});
  CHECK(has(page, "no cycle is done yet"));
  CHECK(has(page, "The table has not been read yet."));
}

TEST_CASE("page: names are text, whatever they hold") {
  const auto value = published(3);
  for (const auto& page : {index_page(value, {"<script>", false}), events_page(value),
                           server_page(value, address("10.0.0.14")).value()}) {
    CHECK(count_of(page, "<script") == 1);  // the page's own, from its file
    CHECK_FALSE(has(page, "style="));
    CHECK_FALSE(has(page, " onclick"));
    CHECK_FALSE(has(page, "javascript:"));
  }
  CHECK(has(index_page(value, {}), "&lt;script&gt;alert(&quot;1&quot;)"));
}

TEST_CASE("page: the filter works without a script") {
  const auto value = published(3);
  const auto rows = [&](const PageQuery& query) {
    return count_of(index_page(value, query), "<tr class");
  };
  CHECK(rows({}) == 6);
  CHECK(rows({"10.0.0.1", false}) == 5);
  CHECK(rows({"UDP", false}) == 1);
  CHECK(rows({"SILENT HOLD", false}) == 1);
  CHECK(rows({"alert(", false}) == 1);
  CHECK(rows({"", true}) == 2);
  CHECK(rows({"fd00", true}) == 0);
  CHECK(has(index_page(value, {"fd00", true}), "No destination fits the filter."));
  CHECK(has(index_page(value, {"\"><b>", false}), "value=\"&quot;&gt;&lt;b&gt;\""));
}

TEST_CASE("page: what a person has to know stands in the banner") {
  CHECK(has(banner(with(CycleReport{})), "Nothing needs a person"));
  auto lost = report(3);
  lost.degraded = "no ip_vs in this kernel";
  CHECK(has(banner(with(lost)), "The table cannot be read: no ip_vs in this kernel"));
  CHECK(has(banner(with(report(3))), "1 of 4 agents of tcp 10.9.9.9:80 are silent"));
  CHECK(has(banner(with(report(3))), "Orders by hand that stand: 1"));
  CHECK(has(banner(with(report(3))), "Note: no keys at"));
  auto frozen = report(3);
  frozen.verdicts[1].outcome = Outcome::frozen;
  CHECK(has(banner(with(frozen)), "tcp 10.9.9.9:80 is frozen"));
  auto full = report(3);
  full.verdicts[4].cpu_busy = 0.99;
  CHECK(has(banner(with(full)), "fwm 7 is overloaded"));
  auto refused = with(report(3));
  refused.facts.reload_problem = "monitord.yaml:5:1: error";
  CHECK(has(banner(refused), "The last reload was refused"));
  auto foreign = with(report(3));
  foreign.history.add(
      HistoryEvent{foreign.report->wall_time - 299, {LogLevel::info, "foreign_write", {}}});
  foreign.history.add(
      HistoryEvent{foreign.report->wall_time - 301, {LogLevel::info, "foreign_write", {}}});
  CHECK(has(banner(foreign), "Somebody else wrote weights in the last 5 minutes"));
}

TEST_CASE("page: what monitord leaves alone is not silent") {
  for (const auto outcome : {Outcome::unmanaged, Outcome::weights_ignored}) {
    auto now = report(3);
    for (auto& one : now.verdicts) {
      one.outcome = outcome;
      one.reading = ReadingState::silent;
    }
    const auto value = with(now);
    CHECK_FALSE(has(banner(value), "silent"));
    CHECK_FALSE(has(index_page(value, {}), "2 silent"));
  }
}

TEST_CASE("page: bytes that are no UTF-8 leave page and JSON readable") {
  auto now = report(3);
  now.notes = {"conf.d/\xff.yaml"};
  now.degraded = "caf\xe9";
  const auto value = with(now);
  CHECK(has(index_page(value, {}), "conf.d/?.yaml"));
  CHECK(has(live_json(value, false), "conf.d/?.yaml"));
  const auto answer = http_answer({"GET", "/api/status", "localhost"}, value, {});
  CHECK(has(answer.body, "\"conf.d/?.yaml\""));
  CHECK(has(answer.body, "\"caf?\""));
}

TEST_CASE("page: an unreadable table is not an empty one") {
  auto now = report(3);
  now.verdicts.clear();
  CHECK(has(index_page(with(now), {}), "There is no service in the table"));
  now.degraded = "Operation not permitted";
  CHECK(has(index_page(with(now), {}), "<p>The table cannot be read.</p>"));
}

TEST_CASE("page: the mode in one word") {
  CHECK(has(mode_of({}), "starting"));
  auto now = report(3);
  CHECK(mode_of(with(now)) == "active");
  now.orders.everything = Pause::paused;
  CHECK(mode_of(with(now)) == "paused by hand");
  now.dry_run = true;
  CHECK(has(mode_of(with(now)), "dry run"));
  now.degraded = "gone";
  CHECK(has(mode_of(with(now)), "degraded"));
  auto standby = report(3);
  for (auto& one : standby.verdicts)
    one.outcome = Outcome::standby;
  CHECK(has(mode_of(with(standby)), "standby"));
}

TEST_CASE("page: every outcome has a sign and a word beside its colour") {
  for (int i = 0; i <= static_cast<int>(Outcome::undrain); ++i) {
    auto one = verdict("fwm 7", "10.0.0.11:0");
    one.outcome = static_cast<Outcome>(i);
    const auto condition = condition_of(one);
    INFO(string_from_outcome(one.outcome));
    CHECK_FALSE(condition.sign.empty());
    CHECK_FALSE(condition.word.empty());
    CHECK_FALSE(condition.style.empty());
    CHECK(condition.needs_look == (condition.style == "note" || condition.style == "bad"));
  }
}

TEST_CASE("page: the last change of a weight stays to be seen") {
  const auto value = published(40);
  const auto& first = value.report->verdicts.front();
  const DestinationId id{first.service, first.destination};
  CHECK(has(last_change_of(value.history, id), "10 -> 14 at 08:01:08Z: C 0.50"));
  const auto& second = value.report->verdicts.at(1);
  CHECK(last_change_of(value.history, {second.service, second.destination}).empty());
}

TEST_CASE("page: a server that is not in the table has no page, one that was has its hour") {
  auto value = published(3);
  CHECK_FALSE(server_page(value, address("10.9.9.9")).has_value());
  CHECK_FALSE(server_page({}, address("10.0.0.11")).has_value());
  auto smaller = report(4);
  smaller.verdicts.resize(1);
  value.report = std::make_shared<const CycleReport>(smaller);
  CHECK(has(server_page(value, address("10.0.0.12")).value(), "not in the table any more"));
}

TEST_CASE("page: what renews it has every row, and charts where they are asked for") {
  const auto value = published(3);
  const auto quick = boost::json::parse(live_json(value, false));
  const auto& rows = quick.at("rows").as_object();
  CHECK(rows.size() == 6);
  CHECK(rows.at("tcp 10.9.9.9:80 10.0.0.12:80").as_array().size() == column_count + 3);
  CHECK(rows.at("tcp 10.9.9.9:80 10.0.0.12:80").as_array().at(0).as_string() == "bad");
  CHECK(quick.at("pools").at("fwm 7").at("bars").is_null());
  const auto whole = boost::json::parse(live_json(value, true));
  CHECK(whole.at("rows").at("fwm 7 10.0.0.11:0").as_array().size() == column_count + 5);
  CHECK(has(std::string(whole.at("pools").at("fwm 7").at("bars").as_string()), "<svg"));
}
