#include "monitord/history_text.hpp"
#include "monitord/log_format.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "golden.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("history text: a series as JSON and CSV, unknown numbers null and empty") {
  const auto value = published(2);
  const auto silent = id("tcp 10.9.9.9:80", "10.0.0.12:80");
  const auto document = json_from_series(value.history, silent);
  CHECK(document.at("service").as_string() == "tcp 10.9.9.9:80");
  CHECK(document.at("columns").as_array().size() == 8);
  const auto& points = document.at("points").as_array();
  REQUIRE(points.size() == 2);
  CHECK(points.at(0).as_array().size() == 8);
  CHECK(points.at(0).as_array().at(2).is_null());
  CHECK(csv_from_series(value.history, silent) ==
        "wall_time,weight,target,cpu_busy,mem_available,composite,active,new_connections\n"
        "1800000002,10,,,,,7,10\n1800000004,10,,,,,7,10\n");
  CHECK(json_from_series({}, silent).at("points").as_array().empty());
}

TEST_CASE("history text: events as JSON and CSV") {
  History history;
  history.add(HistoryEvent{
      7, {LogLevel::warning, "x", {{"service", "tcp 1"}, {"why", "a, b"}, {"destination", "d"}}}});
  CHECK(boost::json::serialize(json_from_events(history)) ==
        R"({"events":[{"wall_time":7E0,"level":"warning","event":"x","fields":)"
        R"({"service":"tcp 1","why":"a, b","destination":"d"}}]})");
  CHECK(csv_from_events(history) ==
        "wall_time,level,event,service,destination,details\n"
        "7,warning,x,tcp 1,d,\"why=a, b\"\n");
  CHECK(boost::json::serialize(json_from_events({})) == R"({"events":[]})");
}

TEST_CASE("history text: the words of the levels are read back") {
  for (const auto level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error})
    CHECK(log_level_from_string(string_from_log_level(level)) == level);
  CHECK(log_level_from_string("loud") == LogLevel::info);
}

TEST_CASE("history text: the status as CSV has a heading even without a destination") {
  const auto heading = csv_from_report({});
  CHECK(heading.starts_with("service,scheduler,destination,server,"));
  CHECK(heading.find("terms") == std::string::npos);
  CHECK(heading.find('\n') == heading.size() - 1);
  check_golden("status.csv", csv_from_report(report(40)));
}
