// Output `dns` against PowerDNS itself, asked with dig: what it makes of monitord's answers, and
// what comes back when either of them goes away.

#include "dns.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

using Answers = std::vector<std::string>;

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("dns: what is not in the zone is denied in its name, and other zones are refused") {
  DnsWorld world;
  world.start();
  CAPTURE(world.log());
  auto const denied = world.dig({"+comments", "none.lb.example.org", "A"});
  CAPTURE(denied);
  CHECK(holds(denied, "status: NXDOMAIN"));
  CHECK(holds(denied, "SOA\tns1.example.org. hostmaster.lb.example.org. 1 3600 600 604800 2"));
  CHECK(world.status("web.lb.example.org", "TXT") == "NOERROR");
  CHECK(world.short_answers({"web.lb.example.org TXT"}).empty());
  CHECK(world.status("www.example.org") == "REFUSED");
  CHECK(world.monitord().last_report().outputs.dns.malformed == 0);
}

TEST_CASE("dns: the zone has an SOA record and its name servers") {
  DnsWorld world;
  world.start();
  CHECK(world.short_answers({"lb.example.org SOA"}) ==
        Answers{"ns1.example.org. hostmaster.lb.example.org. 1 3600 600 604800 2"});
  auto const servers = world.shares("lb.example.org NS", 1);
  CHECK(servers == std::map<std::string, int>{{"ns1.example.org.", 1}, {"ns2.example.org.", 1}});
}

TEST_CASE("dns: one address of each family, with a short life and authority") {
  DnsWorld world;
  world.start();
  REQUIRE(world.order(Order::Kind::drain, DnsWorld::s2));
  world.cycles_pass(2);
  auto const text = world.dig({"+comments", "WEB.lb.example.org", "A"});
  CAPTURE(text);
  CHECK(holds(text, "flags: qr aa"));
  CHECK(holds(text, "ANSWER: 1,"));
  CHECK(holds(text, "WEB.lb.example.org.\t2\tIN\tA\t127.0.0.11"));
  CHECK(world.short_answers({"web.lb.example.org AAAA"}) == Answers{"::1"});
}

TEST_CASE("dns: answers are shared by the weights, and a drained server is never one") {
  DnsWorld world;
  world.start();
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s1, 10));
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s2, 30));
  world.cycles_pass(2);
  auto shares = world.shares("web.lb.example.org A", 200);
  auto again = world.shares("web.lb.example.org A", 200);
  auto const first = shares["127.0.0.11"] + again["127.0.0.11"];
  auto const second = shares["127.0.0.12"] + again["127.0.0.12"];
  CHECK(first + second == 400);
  // 100 with a standard deviation of 9.
  CHECK(first > 55);
  CHECK(first < 145);
  REQUIRE(world.order(Order::Kind::drain, DnsWorld::s1));
  world.cycles_pass(2);
  CHECK(world.shares("web.lb.example.org A", 100) ==
        std::map<std::string, int>{{"127.0.0.12", 100}});
}

TEST_CASE("dns: the best server gets every question, where the pool says so") {
  DnsWorld world("    choice: best\n");
  world.start();
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s1, 31));
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s2, 30));
  world.cycles_pass(2);
  CHECK(world.shares("web.lb.example.org A", 100) ==
        std::map<std::string, int>{{"127.0.0.11", 100}});
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s1, 29));
  world.cycles_pass(2);
  CHECK(world.shares("web.lb.example.org A", 100) ==
        std::map<std::string, int>{{"127.0.0.12", 100}});
}

TEST_CASE("dns: while agents are silent it is answered on") {
  DnsWorld world;
  world.start();
  world.cycles_pass(12);  // more than any hold
  for (auto const& verdict : world.monitord().last_report().verdicts)
    CHECK(verdict.reading == ReadingState::silent);
  CHECK(world.status("web.lb.example.org") == "NOERROR");
  CHECK(world.short_answers({"web.lb.example.org A"}).size() == 1);
}

TEST_CASE("dns: without monitord there is no answer, and with the next one there is") {
  DnsWorld world;
  world.start();
  REQUIRE(world.order(Order::Kind::pin, DnsWorld::s1, 37));
  REQUIRE(world.order(Order::Kind::drain, DnsWorld::s2));
  world.cycles_pass(2);
  world.kill_monitord();
  CHECK(world.status("web.lb.example.org") == "SERVFAIL");
  world.start_monitord();
  CHECK(world.within(
      30s, [&] { return world.short_answers({"web.lb.example.org A"}) == Answers{"127.0.0.11"}; }));
}

TEST_CASE("dns: a PowerDNS that dies asks again when it comes back, and monitord needs none") {
  DnsWorld world;
  world.start();
  world.kill_powerdns();
  world.cycles_pass(2);
  CHECK(world.monitord().last_report().degraded.empty());
  world.start_powerdns();
  CHECK(world.status("web.lb.example.org") == "NOERROR");
}
