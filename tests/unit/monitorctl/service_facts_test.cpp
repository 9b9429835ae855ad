#include "monitorctl/service_facts.hpp"

#include <string>

#include "recorded_service.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::facts_of;
using lvs::monitorctl::testing::recorded_service;

namespace {

constexpr auto three =
    "service tcp:10.9.9.9:80 wrr\n"
    "10.0.0.13:80 Masq weight=5 active=3,5 inactive=10,20,30,30,30,30 connections=1000+120\n"
    "10.0.0.11:80 Masq weight=1 active=0,1,2 connections=50+20\n"
    "10.0.0.12:80 Masq weight=2 active=1 connections=0+40\n";

}  // namespace

TEST_CASE("facts: rates are what the counters moved, and times are Little's") {
  const auto facts = facts_of(three);
  CHECK(facts.name == "tcp 10.9.9.9:80");
  CHECK(facts.watched_s == 10);
  CHECK(facts.counted_s == 8);  // from the first tick that was seen to the last
  REQUIRE(facts.rate.has_value());
  CHECK(*facts.rate == Approx(90));
  CHECK(facts.active == Approx(28.0 / 6 + 9.0 / 6 + 1));
  REQUIRE(facts.connection_s.has_value());
  CHECK(*facts.connection_s == Approx(facts.active / 90));
  CHECK(facts.open_moved);
  CHECK_FALSE(facts.steered);
}

TEST_CASE("facts: destinations are in the order of their addresses and know their place") {
  const auto facts = facts_of(three);
  REQUIRE(facts.destinations.size() == 3);
  CHECK(facts.destinations[0].name == "10.0.0.11:80");
  CHECK(facts.destinations[0].place == 1);
  CHECK(facts.destinations[0].quiet == Approx(2.0 / 6));
  CHECK(facts.destinations[1].quiet == 1);
  CHECK(facts.destinations[2].most == 35);
  CHECK(facts.destinations[2].inactive == 25);
  CHECK(facts.destinations[2].new_connections == 480U);
  const auto pool = dealt_to(facts);
  CHECK(weights_of(pool) == std::vector<std::uint32_t>{1, 2, 5});
  CHECK(in_list_order(pool, {1, 2, 5}) == std::vector<std::uint32_t>{5, 1, 2});
}

TEST_CASE("facts: counters that were put back, or are not there, say nothing") {
  const auto* const text = GENERATE(
      "service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 active=3 connections=9,8,7,6,5,4\n",
      "service tcp:10.9.9.9:80 wrr proc\n10.0.0.11:80 Masq weight=1 active=3 connections=1+9\n");
  const auto facts = facts_of(text);
  CHECK_FALSE(facts.rate.has_value());
  CHECK_FALSE(facts.connection_s.has_value());
  CHECK_FALSE(facts.destinations[0].new_connections.has_value());
}

TEST_CASE("facts: no traffic is a rate of 0, and UDP has no open connections to go by") {
  const auto idle =
      facts_of("service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=1 connections=7\n");
  CHECK(idle.rate == 0.0);
  CHECK(idle.counted_s == 10);
  CHECK_FALSE(idle.connection_s.has_value());
  const auto udp =
      facts_of("service udp:10.9.9.9:53 wrr\n10.0.0.11:53 Masq weight=1 connections=0+9\n");
  CHECK(udp.rate == Approx(4.5));
  CHECK_FALSE(udp.connection_s.has_value());
}

TEST_CASE("facts: a destination that came meanwhile has no rate, one that went is left out") {
  auto recorded = recorded_service(three);
  recorded.readings.front().entry.destinations.pop_back();
  recorded.readings[1].entry.destinations.pop_back();
  recorded.readings.back().entry.destinations.erase(
      recorded.readings.back().entry.destinations.begin());
  const auto facts = recorded.facts();
  REQUIRE(facts.destinations.size() == 2);
  CHECK(facts.destinations[0].new_connections == 80U);
  CHECK_FALSE(facts.destinations[1].new_connections.has_value());
  CHECK(facts.destinations[1].active == 1);
  CHECK_FALSE(facts.rate.has_value());
}

TEST_CASE("facts: a weight that changed is told, and the last one counts") {
  const auto facts =
      facts_of("service tcp:10.9.9.9:80 wrr\n10.0.0.11:80 Masq weight=5,5,7 connections=1+9\n");
  CHECK(facts.destinations[0].weight_changed);
  CHECK(facts.destinations[0].destination.weight == 7);
}

TEST_CASE("facts: one look is enough for what is there") {
  const auto recorded = recorded_service(three);
  const auto facts = facts_from(std::span(recorded.readings).first(1), true, nullptr);
  CHECK(facts.watched_s == 0);
  CHECK_FALSE(facts.rate.has_value());
  CHECK(facts.active == 4);
}

TEST_CASE("facts: what the daemon knows is taken by name, and what it does not write is not its") {
  const auto [outcome, dry_run, steered] = GENERATE(table<std::string, std::string, bool>({
      {"unchanged", "", true},
      {"change", "", true},
      {"unchanged", " dry_run", false},
      {"unmanaged", "", false},
      {"weights_ignored", "", false},
  }));
  const auto facts =
      facts_of("service tcp:10.9.9.9:80 wrr\ndaemon" + dry_run +
               "\n10.0.0.11:80 Masq weight=1 base=10 capacity=33.5 cpu=0.25 outcome=" + outcome +
               "\n10.0.0.12:80 Masq weight=1 base=0 capacity=0\n");
  CHECK(facts.steered == steered);
  CHECK(facts.destinations[0].base == 10.0);
  CHECK(facts.destinations[0].capacity == 33.5);
  CHECK(facts.destinations[0].cpu_busy == 0.25);
  CHECK_FALSE(facts.destinations[1].base.has_value());
  CHECK_FALSE(facts.destinations[1].capacity.has_value());
}
