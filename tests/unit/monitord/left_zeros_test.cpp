// Zeros of monitord's own that nobody watches over any more: given back where that may be written,
// told with the way out where it may not.

#include "monitord/left_zeros.hpp"

#include <string>
#include <vector>

#include "monitord/leaving.hpp"
#include "monitord/reasons.hpp"
#include "support/catch.hpp"
#include "unit/monitord/three_servers.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto web1 = "10.0.0.11:80";
constexpr auto web2 = "10.0.0.12:80";

using Lines = std::vector<std::string>;

/// The first server is at a 0 of monitord's own, as its agent asked.
Director with_agent_drain() {
  auto director = three();
  director.config.defaults.agent_drain = true;
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  report_all(director, 0.3, 0.3);
  director.readings.at(address("10.0.0.11")).draining = true;
  (void)director.cycle();
  REQUIRE(director.at(vip, web1).weight == 0);
  return director;
}

Order order(Order::Kind kind, std::string_view destination) {
  return {kind, service_key(vip), destination_key(destination), 0, {}};
}

Lines let_go(const Director& director) {
  return let_go_zeros(director.state, director.table, director.config);
}

Lines left(const Director& director) {
  return left_zeros(director.state, director.table, director.config);
}

bool ends_with_monitord(const Director& director, std::string_view destination) {
  for (auto const& service : leaving_plan(director.state, director.table, director.config)) {
    for (auto const& change : service.changes) {
      if (change.destination == destination_key(destination)) return change.to == 10;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("let go: a service that is not listed any more gets its base back at once") {
  auto director = with_agent_drain();
  director.config.services.emplace();
  CHECK(let_go(director) ==
        Lines{"10.0.0.11:80 of tcp 10.9.9.9:80 gets its base weight 10 back in the next cycle: "
              "monitord set it to 0 (agent_drain: true) and does not steer it any more"});
  CHECK(ends_with_monitord(director, web1));  // also when it ends before that cycle
  auto const decision = director.cycle();
  CHECK(verdict_of(decision, web1).outcome == Outcome::undrain);
  CHECK(reason_of(verdict_of(decision, web1)).find("does not steer this service any more") !=
        std::string::npos);
  CHECK(director.at(vip, web1).weight == 10);
  CHECK(let_go(director).empty());
  CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::unmanaged);
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("let go: a zero that somebody else sets in a service let go is theirs") {
  auto director = with_agent_drain();
  director.at(vip, web2).weight = 0;
  director.config.services.emplace();
  (void)director.cycle();
  (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 10);
  CHECK(director.at(vip, web2).weight == 0);
  director.at(vip, web1).weight = 0;
  (void)director.cycle();
  (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 0);
}

TEST_CASE("let go: a drain by hand stays and ends with undrain") {
  auto director = with_agent_drain();
  REQUIRE(director.order(order(Order::Kind::drain, web1)).has_value());
  director.config.services.emplace();
  CHECK(let_go(director) ==
        Lines{"10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0, which monitord set (drained by hand), "
              "until `monitorctl undrain tcp:10.9.9.9:80 10.0.0.11:80`"});
  CHECK_FALSE(ends_with_monitord(director, web1));
  for (int cycle = 0; cycle < 3; ++cycle)
    CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::hand_drain);
  CHECK(director.at(vip, web1).weight == 0);

  CHECK_FALSE(director.order(order(Order::Kind::drain, web2)).has_value());  // not managed
  CHECK_FALSE(director.order(order(Order::Kind::undrain, web2)).has_value());
  auto const answer = director.order(order(Order::Kind::undrain, web1));
  REQUIRE(answer.has_value());
  CHECK(*answer == "10.0.0.11:80 comes back in the next cycle, with its base weight");
  (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("let go: a pause holds a zero until resume") {
  auto director = with_agent_drain();
  REQUIRE(director.order({Order::Kind::pause, service_key(vip), {}, 0, {}}).has_value());
  director.config.services.emplace();
  CHECK(let_go(director) ==
        Lines{"10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0, which monitord set (agent_drain: true): "
              "paused by hand, until `monitorctl resume tcp:10.9.9.9:80`"});
  CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::paused);
  CHECK(director.at(vip, web1).weight == 0);
  CHECK_FALSE(ends_with_monitord(director, web1));
  REQUIRE(director.order({Order::Kind::resume, service_key(vip), {}, 0, {}}).has_value());
  (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("let go: what is still steered is not spoken of") {
  auto director = with_agent_drain();
  CHECK(let_go(director).empty());
  director.config.services = {ServiceConfig{service_key(vip), director.config.defaults, {}}};
  CHECK(let_go(director).empty());
}

TEST_CASE("let go: in a dry run every zero stays, and it is told how it ends") {
  auto director = with_agent_drain();
  director.config.dry_run = true;
  if (GENERATE(false, true)) director.config.services.emplace();
  Lines const expected{
      "10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0, which monitord set (agent_drain: true): nothing "
      "is written in a dry run. Give it a weight yourself (its base is 10), or let monitord do it, "
      "with dry_run: false"};
  CHECK(let_go(director) == expected);
  CHECK(left(director) == expected);
}

TEST_CASE("end: monitord gives its zeros back whatever the scheduler is by then") {
  auto director = with_agent_drain();
  director.table[0].service.scheduler = "rr";
  CHECK(ends_with_monitord(director, web1));
  // A restore that is not through yet wants it back, too.
  REQUIRE(director.order({Order::Kind::restore, {}, {}, 0, {}}).has_value());
  CHECK(ends_with_monitord(director, web1));
}

TEST_CASE("end: a drain that was taken back ends with monitord, and one that stands is told") {
  auto director = with_agent_drain();
  REQUIRE(director.order(order(Order::Kind::drain, web1)).has_value());
  CHECK_FALSE(ends_with_monitord(director, web1));
  CHECK(
      left(director) ==
      Lines{"10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0, which monitord set (drained by hand), "
            "until `monitorctl undrain tcp:10.9.9.9:80 10.0.0.11:80`. monitord ends: the next one "
            "goes on from there; without one give it a weight yourself (its base is 10)"});
  REQUIRE(director.order(order(Order::Kind::undrain, web1)).has_value());
  CHECK(ends_with_monitord(director, web1));
}
