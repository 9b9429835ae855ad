#include "monitorctl/history_text.hpp"

#include <boost/json/parse.hpp>
#include <string>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;

namespace {

namespace json = boost::json;

/// Two cycles of one minute, one of the next, and a column that this version does not know.
json::value hour() {
  return json::parse(
      R"({"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","columns":["wall_time",)"
      R"("weight","future","target","cpu_busy","mem_available","composite","active",)"
      R"("new_connections"],"points":[[1800000000,10,"x",12,0.25,0.5,0.65,7,100],)"
      R"([1800000058.5,12,null,null,null,0.5,null,8,20],[1800000061,12,1,12,0.5,0.5,0.5,9,30]]})");
}

json::value events() {
  return json::parse(
      R"({"events":[{"wall_time":1800000000,"level":"info","event":"weight","fields":)"
      R"({"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","old":"10","new":"12"}},)"
      R"({"wall_time":1800000002.5,"level":"warning","event":"note","fields":{"text":"a \"b\""}}]})");
}

}  // namespace

TEST_CASE("history text: a line a minute with its last values and all its connections") {
  CHECK(history_text(hour()) == golden("monitorctl/history.txt"));
}

TEST_CASE("history text: CSV has every point with the daemon's columns") {
  CHECK(history_csv(hour()) ==
        "wall_time,weight,future,target,cpu_busy,mem_available,composite,active,new_connections\n"
        "1800000000,10,x,12,0.25,0.5,0.65,7,100\n"
        "1800000058.5,12,,,,0.5,,8,20\n"
        "1800000061,12,1,12,0.5,0.5,0.5,9,30\n");
}

TEST_CASE("history text: events as lines of the log and as CSV") {
  CHECK(events_text(events()) ==
        "2027-01-15 08:00:00Z info    weight service=\"tcp 10.9.9.9:80\" "
        "destination=10.0.0.11:80 old=10 new=12\n"
        "2027-01-15 08:00:02Z warning note text=\"a \\\"b\\\"\"\n");
  CHECK(events_csv(events()) ==
        "wall_time,level,event,service,destination,details\n"
        "1800000000,info,weight,tcp 10.9.9.9:80,10.0.0.11:80,old=10; new=12\n"
        "1800000002.5,warning,note,,,\"text=a \"\"b\"\"\"\n");
}

TEST_CASE("history text: of a document that is none, or another, nothing is made up") {
  const auto text = GENERATE(as<std::string>{}, "null", "[]", "{}", R"({"points":7,"events":"x"})",
                             R"({"columns":[1],"points":[[]],"events":[{},7]})",
                             R"({"columns":["wall_time"],"points":[["x"],7]})");
  INFO(text);
  const auto document = json::parse(text);
  CHECK(history_text(document).find("nothing is recorded yet") != std::string::npos);
  CHECK(history_csv(document).find("1800") == std::string::npos);
  CHECK(events_csv(document).starts_with("wall_time,"));
  CHECK_FALSE(events_text(document).empty());
}
