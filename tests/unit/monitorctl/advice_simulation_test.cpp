// From what was seen of a service to a pool for the simulator, and what it says.

#include "monitorctl/advice_simulation.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "monitorctl/advice_rules.hpp"
#include "monitorctl/advice_scenario.hpp"
#include "recorded_service.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::facts_of;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool any_holds(const std::vector<std::string>& texts, const std::string& part) {
  for (const auto& text : texts) {
    if (holds(text, part)) return true;
  }
  return false;
}

const std::string pair = "service tcp:10.9.9.9:80 wrr\n";

}  // namespace

TEST_CASE("advice scenario: what cannot be simulated says why") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 connections=0+99\n",
       "fewer than two destinations"},
      {"service tcp:10.9.9.9:80 sh\n10.0.0.11:80 Masq weight=1 connections=0+99\n"
       "10.0.0.12:80 Masq weight=1\n",
       "the simulator has no sh"},
      {"service udp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 connections=0+99\n"
       "10.0.0.12:80 Masq weight=1\n",
       "datagram"},
      {"service tcp:10.9.9.9:80 wrr proc\n10.0.0.11:80 Masq weight=1\n10.0.0.12:80 Masq weight=1\n",
       "CAP_NET_ADMIN"},
      {"service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 connections=9,8\n"
       "10.0.0.12:80 Masq weight=1\n",
       "were put back"},
      {"service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 connections=0+2\n"
       "10.0.0.12:80 Masq weight=1 connections=0+2\n",
       "16 new connections in 8 s say too little"},
  }));
  const auto planned = scenario_from(facts_of(text));
  REQUIRE_FALSE(planned.has_value());
  CHECK(holds(planned.error(), why));
}

TEST_CASE("advice scenario: the load is the one that keeps so many connections open") {
  // Two equal servers at load 0.5: one request in each, 100/s, so a cost of 10 ms at speed 1.
  const auto planned =
      scenario_from(facts_of(pair + "10.0.0.12:80 Masq weight=1 active=1 connections=0+100\n"
                                    "10.0.0.11:80 Masq weight=1 active=1 connections=0+100\n"));
  REQUIRE(planned.has_value());
  CHECK(planned->load == Approx(0.5));
  CHECK(planned->scenario.request.mean_s == Approx(0.010));
  CHECK(*planned->scenario.arrivals_per_s == Approx(100));
  CHECK(planned->scenario.keepalive.requests == 1);
  CHECK(planned->slowed == 1);
  CHECK(planned->scenario.warmup_s == 120);
  CHECK(planned->scenario.duration_s == 520);  // 40,000 requests
  CHECK(any_holds(planned->assumed, "taken to be right"));
  CHECK(any_holds(planned->assumed, "from 2 open connections of 0.02 s each"));
}

TEST_CASE("advice scenario: servers come in the order in which they were added") {
  const auto facts = facts_of(pair +
                              "10.0.0.11:80 Masq weight=3 active=1 connections=0+150\n"
                              "10.0.0.13:80 Masq weight=0\n"
                              "10.0.0.12:80 Masq weight=1 active=1 connections=0+50\n");
  const auto planned = scenario_from(facts);
  REQUIRE(planned.has_value());
  REQUIRE(planned->scenario.servers.size() == 2);
  CHECK(planned->scenario.servers[0].base == 1);  // .12, the oldest
  CHECK(planned->scenario.servers[0].speed == Approx(0.5));
  CHECK(planned->scenario.servers[1].base == 3);
  CHECK(planned->scenario.servers[1].speed == Approx(1.5));
  const auto other = scenario_of(*planned, {"sed", {30, 10}});
  CHECK(other.scheduler == "sed");
  CHECK(other.servers[0].base == 10);
  CHECK(other.servers[1].base == 30);
}

TEST_CASE("advice scenario: what agents and the daemon say comes before guesses") {
  const auto [status, ratio, load, said] =
      GENERATE(table<std::string, double, double, std::string>({
          {"capacity=30 base=10 cpu=0.4", 3, 0.55, "as monitord learned it"},
          {"base=20 cpu=0.4", 2, 0.6 * 1 / 3 + 0.4 * 2 / 3, "base weights"},
      }));
  const std::string other =
      status.starts_with("capacity") ? "capacity=10 base=10 cpu=1.0" : "base=10 cpu=0.6";
  const auto planned = scenario_from(
      facts_of("service tcp:10.9.9.9:80 rr\ndaemon\n10.0.0.12:80 Masq weight=1 active=1 "
               "connections=0+100 outcome=weights_ignored " +
               other + "\n10.0.0.11:80 Masq weight=1 active=1 connections=0+100 " + status + "\n"));
  REQUIRE(planned.has_value());
  const auto& servers = planned->scenario.servers;
  CHECK(servers[0].speed / servers[1].speed == Approx(ratio));
  CHECK(planned->load == Approx(load));
  CHECK(planned->scenario.request.mean_s == Approx(load * 2 / 100));
  CHECK(any_holds(planned->assumed, said));
}

TEST_CASE("advice scenario: long connections are several requests, and their load is a guess") {
  const auto planned =
      scenario_from(facts_of(pair + "10.0.0.12:80 Masq weight=1 active=500 connections=0+100\n"
                                    "10.0.0.11:80 Masq weight=1 active=500 connections=0+100\n"));
  REQUIRE(planned.has_value());
  CHECK(planned->load == Approx(0.6));
  CHECK(any_holds(planned->assumed, "a guess"));
  const auto& keepalive = planned->scenario.keepalive;
  CHECK(keepalive.requests == 10);
  // 10 s open, of which 0.6 * 2 / 100 / (1 - 0.6) are for the answers; nine pauses
  CHECK(keepalive.think_s * planned->slowed == Approx((10 - 0.03) / 9).epsilon(0.01));
  CHECK(any_holds(planned->assumed, "10 requests with pauses"));
}

TEST_CASE("advice scenario: a busy pool is slowed down, and loads stay") {
  const auto planned =
      scenario_from(facts_of(pair + "10.0.0.12:80 Masq weight=1 active=1 connections=0+5000\n"
                                    "10.0.0.11:80 Masq weight=1 active=1 connections=0+5000\n"));
  REQUIRE(planned.has_value());
  CHECK(planned->slowed == Approx(5));
  CHECK(*planned->scenario.arrivals_per_s == Approx(1000));
  CHECK(planned->load == Approx(0.5));
  CHECK(*planned->scenario.arrivals_per_s * planned->scenario.request.mean_s / 2 == Approx(0.5));
  CHECK(any_holds(planned->assumed, "5 times slower"));
}

TEST_CASE("advice scenario: persistence brings its clients, and loads have bounds") {
  const auto planned =
      scenario_from(facts_of("service tcp:10.9.9.9:80 wlc persistent=60\ndaemon\n"
                             "10.0.0.12:80 Route weight=1 active=1 templates=30 connections=0+100 "
                             "cpu=1 outcome=unchanged\n"
                             "10.0.0.11:80 Route weight=1 active=1 templates=12 connections=0+100 "
                             "cpu=1 outcome=unchanged\n"));
  REQUIRE(planned.has_value());
  CHECK(planned->scenario.persistence_s == 60);
  CHECK(planned->scenario.clients == 42);
  CHECK(planned->load == Approx(0.95));
  CHECK(any_holds(planned->assumed, "seen was 1.00"));
  CHECK(any_holds(planned->assumed, "without NAT"));
}

TEST_CASE(
    "advice simulation: what is there comes first, each proposal once, and sed with equal "
    "weights") {
  const auto facts = facts_of(
      "service tcp:10.9.9.9:80 lc\n10.0.0.12:80 Masq weight=2 active=1 inactive=900 "
      "connections=0+100\n"
      "10.0.0.11:80 Masq weight=1 active=1 inactive=900 connections=0+100\n");
  CHECK(simulated_now(facts) == Proposal{"wlc", {10, 10}});
  CHECK(proposals_of(facts, findings_of(facts)) ==
        std::vector<Proposal>{{"sed", {10, 10}}, {"wlc", {1, 2}}});
  const auto alike = facts_of(
      "service tcp:10.9.9.9:80 sed\n10.0.0.12:80 Masq weight=4 active=1 connections=0+100\n"
      "10.0.0.11:80 Masq weight=4 active=1 connections=0+100\n");
  CHECK(proposals_of(alike, findings_of(alike)).empty());
  const auto none = simulated(alike, {}, 1, [](std::size_t, std::size_t) {});
  REQUIRE_FALSE(none.has_value());
  CHECK(holds(none.error(), "sed with equal weights already"));
}

TEST_CASE("advice simulation: the number of jobs changes nothing, and progress is told") {
  const auto facts = facts_of(pair +
                              "10.0.0.12:80 Masq weight=165 active=1 connections=0+20\n"
                              "10.0.0.11:80 Masq weight=79 active=1 connections=0+10\n");
  const auto findings = findings_of(facts);
  std::vector<std::size_t> told;
  const auto one = simulated(facts, findings, 1, [&](std::size_t finished, std::size_t count) {
    told = {finished, count};
  });
  const auto many = simulated(facts, findings, 4, [](std::size_t, std::size_t) {});
  REQUIRE(one.has_value());
  REQUIRE(many.has_value());
  CHECK(told == std::vector<std::size_t>{9, 9});
  REQUIRE(one->rows.size() == 3);
  for (std::size_t i = 0; i < one->rows.size(); ++i) {
    CHECK(one->rows[i].proposal == many->rows[i].proposal);
    CHECK(one->rows[i].figures == many->rows[i].figures);
  }
  const auto ratios = ratios_of(*one, 1);
  REQUIRE(ratios.has_value());
  CHECK(ratios->mean < 0.8);  // runs of 86 against 2:1
}
