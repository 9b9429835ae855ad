#include "monitord/outputs/haproxy_stats.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::monitord;

namespace {

/// As HAProxy 2.6 begins it; what follows is of no matter here.
const std::string header =
    "# "
    "pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq,dresp,ereq,econ,eresp,wretr,wredis,"
    "status,weight,act,bck,\n";

std::vector<ServerStats> rows(const std::string& text) {
  auto parsed = stats_from_csv(text);
  if (!parsed) FAIL(parsed.error());
  return *parsed;
}

}  // namespace

TEST_CASE("haproxy stats: what is no answer is refused") {
  auto const text =
      GENERATE(as<std::string>{}, "", "\n", "Unknown command: 'show stats'\n", "pxname,svname\n",
               "# \n", "# pxname,svname,scur,stot,bin,status\n", "Permission denied\n");
  CAPTURE(text);
  auto const parsed = stats_from_csv(text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK_FALSE(parsed.error().empty());
  CHECK(parsed.error().find('\n') == std::string::npos);
}

TEST_CASE("haproxy stats: a missing column is named") {
  CHECK(stats_from_csv("# pxname,svname,scur,stot,bin,status,\n").error().ends_with("weight"));
}

TEST_CASE("haproxy stats: rows that do not fit are left out, the others are read") {
  CHECK(rows(header).empty());
  auto const row =
      GENERATE(as<std::string>{}, "be,s1\n", "be,s1,0,0,x,0,0,1,1,1,0,0,0,0,0,0,0,UP,1,\n",
               "be,s1,0,0,-1,0,0,1,1,1,0,0,0,0,0,0,0,UP,1,\n",
               "be,s1,0,0,99999999999,0,0,1,1,1,0,0,0,0,0,0,0,UP,1,\n",
               "be,BACKEND,0,0,0,0,0,1,1,1,0,0,0,0,0,0,0,UP,1,\n",
               "fe,FRONTEND,,,0,0,0,1,1,1,0,0,0,,,,,OPEN,,\n", "\n",
               "be,s1,0,0,,0,0,1,1,1,0,0,0,0,0,0,0,UP,1,\n");
  CAPTURE(row);
  auto const all = rows(header + row + "be,s2,0,0,3,5,,70,800,9,0,0,0,0,0,0,0,UP,37,1,0,\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0] == ServerStats{"be", "s2", {70, 800, 3}, 37, "UP"});
}

TEST_CASE("haproxy stats: a last line without its end may be half a number") {
  CHECK(rows(header + "be,s2,0,0,3,5,,70,800,9,0,0,0,0,0,0,0,UP,3").empty());
}

TEST_CASE("haproxy stats: fields in quotes may hold commas and quotes") {
  auto const all = rows(
      "# pxname,note,svname,scur,stot,bin,status,weight,\n"
      "be,\"a,\"\"b\"\",c\",s1,1,2,3,\"UP 1/2\",4,\n"
      "be,\"never closed,s2,1,2,3,UP,4,\n"
      "be,,s3,1,2,3,UP,4,\r\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0] == ServerStats{"be", "s1", {2, 3, 1}, 4, "UP 1/2"});
  CHECK(all[1].server == "s3");
}

TEST_CASE("haproxy stats: a weight that is not said is unknown") {
  auto const all = rows(header + "be,s1,0,0,3,5,,70,800,9,0,0,0,0,0,0,0,MAINT,,1,0,\n");
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0].weight.has_value());
  CHECK(all[0].status == "MAINT");
}

TEST_CASE("haproxy stats: columns are found wherever they stand") {
  CHECK(rows("# weight,status,bin,stot,scur,svname,pxname\n4,UP,3,2,1,s1,be\n").at(0) ==
        ServerStats{"be", "s1", {2, 3, 1}, 4, "UP"});
}

TEST_CASE("haproxy stats: any text behind a header is read without a row too many") {
  CHECK(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("be,s1,1,\n\"0\r#")));
    const auto parsed = stats_from_csv("# pxname,svname,scur,stot,bin,status,weight\n" + text);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->size() <=
              static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  }));
}
