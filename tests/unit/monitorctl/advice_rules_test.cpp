// Each rule where it has something to say, and where it has not.

#include "monitorctl/advice_rules.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "recorded_service.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::facts_of;

namespace {

using Lines = std::vector<std::string>;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A service of these words whose destinations get `weights`, oldest last, and `rest`.
std::string pool(const std::string& service, const std::vector<std::string>& weights,
                 const std::string& rest) {
  auto text = "service " + service + "\n";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    text +=
        "10.0.0." + std::to_string(11 + i) + ":80 Masq weight=" + weights[i] + " " + rest + "\n";
  }
  return text;
}

const std::string web = "tcp:10.9.9.9:80 ";

}  // namespace

TEST_CASE("wrr_bursts: large coprime weights become small integers") {
  const auto finding =
      wrr_bursts(facts_of(pool(web + "wrr", {"33", "79", "165"}, "connections=0+100")));
  REQUIRE(finding.has_value());
  CHECK(finding->severity == Severity::warning);
  CHECK(holds(finding->seen, "weights 33:79:165: 10.0.0.13:80 gets up to 87 connections in a row"));
  CHECK(holds(finding->seen, "0.58 s"));  // 150 connections/s
  CHECK(holds(finding->advice, "2:5:10 gives the same shares, within 4 %, and at most 6 in a row"));
  CHECK(finding->commands == Lines{"ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 2",
                                   "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.12:80 -m -w 5",
                                   "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.13:80 -m -w 10"});
  CHECK(finding->proposal == Proposal{"wrr", {2, 5, 10}});
}

TEST_CASE("advice: without what only root may read no command is typed that would reset it") {
  const auto text = pool(web + "wrr", {"33", "79", "165"}, "connections=0+100");
  const auto whole = findings_of(facts_of(text));
  const auto blind = findings_of(facts_of(pool(web + "wrr proc", {"33", "79", "165"}, "")));
  REQUIRE_FALSE(whole.empty());
  CHECK_FALSE(whole.front().commands.empty());
  REQUIRE_FALSE(blind.empty());
  CHECK(blind.front().id == "wrr_bursts");
  CHECK(blind.front().commands.empty());
  CHECK(holds(blind.front().configuration.back(), "run this as root"));
}

TEST_CASE("wrr_bursts: where monitord steers nothing is typed") {
  const auto finding = wrr_bursts(facts_of("service " + web + "wrr\ndaemon\n" +
                                           "10.0.0.11:80 Masq weight=33 outcome=paused\n"
                                           "10.0.0.12:80 Masq weight=100 outcome=paused\n"));
  REQUIRE(finding.has_value());
  CHECK(finding->commands.empty());
  CHECK(holds(finding->advice, "monitorctl status"));
}

TEST_CASE("wrr_bursts: nothing to say of small integers, of one server, of other schedulers") {
  const auto [scheduler, weights] = GENERATE(table<std::string, Lines>({
      {"wrr", {"2", "5", "10"}},
      {"wrr", {"24", "60", "96"}},  // served as 2:5:8
      {"wrr", {"10", "10", "10"}},
      {"wrr", {"33"}},
      {"wrr", {"33", "0"}},
      {"wrr", {"1", "30"}},  // no smaller integers say that
      {"wlc", {"33", "79", "165"}},
      {"sed", {"33", "79", "165"}},
  }));
  CHECK_FALSE(wrr_bursts(facts_of(pool(web + scheduler, weights, "connections=0+9"))).has_value());
}

TEST_CASE("sed_is_the_rival: of wrr with short connections") {
  const auto finding =
      sed_is_the_rival(facts_of(pool(web + "wrr", {"1", "2", "5"}, "active=1 connections=0+100")));
  REQUIRE(finding.has_value());
  CHECK(finding->proposal == Proposal{"sed", {10, 10, 10}});
  CHECK(finding->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s sed",
                                   "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 10",
                                   "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.12:80 -m -w 10",
                                   "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.13:80 -m -w 10"});
  CHECK(holds(finding->seen, "0.02 s"));
}

TEST_CASE("sed_is_the_rival: equal weights stay as they are") {
  const auto finding =
      sed_is_the_rival(facts_of(pool(web + "wrr", {"7", "7"}, "active=1 connections=0+100")));
  REQUIRE(finding.has_value());
  CHECK(finding->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s sed"});
}

TEST_CASE("sed_is_the_rival: not of long connections, persistence, UDP, or what is unknown") {
  const auto [service, rest] = GENERATE(table<std::string, std::string>({
      {"tcp:10.9.9.9:80 wrr", "active=200 connections=0+100"},
      {"tcp:10.9.9.9:80 wrr persistent=360", "active=1 connections=0+100"},
      {"udp:10.9.9.9:80 wrr", "active=1 connections=0+100"},
      {"tcp:10.9.9.9:80 wrr", "active=1 connections=5"},
      {"tcp:10.9.9.9:80 wrr proc", "active=1"},
      {"tcp:10.9.9.9:80 sed", "active=1 connections=0+100"},
  }));
  CHECK_FALSE(sed_is_the_rival(facts_of(pool(service, {"1", "2"}, rest))).has_value());
}

TEST_CASE("weights_ignored: each scheduler has one that reads them") {
  const auto [scheduler, other] =
      GENERATE(table<std::string, std::string>({{"rr", "wrr"}, {"lc", "wlc"}, {"dh", "mh"}}));
  const auto finding = weights_ignored(facts_of(pool(web + scheduler, {"3", "1"}, "")));
  REQUIRE(finding.has_value());
  CHECK(finding->proposal == Proposal{other, {3, 1}});
  CHECK(finding->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s " + other});
}

TEST_CASE("weights_ignored: not where they are equal or read") {
  const auto [scheduler, weights] = GENERATE(table<std::string, Lines>(
      {{"rr", {"3", "3"}}, {"rr", {"3", "0"}}, {"wrr", {"3", "1"}}, {"wlc", {"3", "1"}}}));
  CHECK_FALSE(weights_ignored(facts_of(pool(web + scheduler, weights, ""))).has_value());
}

TEST_CASE("shares_differ: who got what by weight would not have been") {
  const auto [service, rest, effect] = GENERATE(table<std::string, std::string, std::string>({
      {"wrr", "", "restarts the walk"},
      {"wrr persistent=360", "", "persistence"},
      {"wrr", " upper=50 inactive=50", "upper threshold"},
  }));
  const auto finding = shares_differ(
      facts_of("service " + web + service + "\n10.0.0.11:80 Masq weight=1 connections=0+100" +
               rest + "\n10.0.0.12:80 Masq weight=1 connections=0+40\n"));
  REQUIRE(finding.has_value());
  CHECK(holds(finding->seen, "10.0.0.11:80 got 400 new connections in 8 s, and 280 would be"));
  CHECK(holds(finding->effect, effect));
  CHECK(finding->commands.empty());
}

TEST_CASE("shares_differ: not within chance, nor after a change, nor where weights are no shares") {
  const auto [scheduler, first, second] = GENERATE(table<std::string, std::string, std::string>({
      {"wrr", "weight=1 connections=0+100", "weight=1 connections=0+90"},
      {"wrr", "weight=1 connections=0+3", "weight=1 connections=0+1"},
      {"wrr", "weight=1,1,5 connections=0+100", "weight=1 connections=0+40"},
      {"wrr", "weight=5 connections=0+100", "weight=2 connections=0+40"},
      {"rr", "weight=5 connections=0+100", "weight=1 connections=0+100"},
      {"wlc", "weight=1 connections=0+100", "weight=1 connections=0+40"},
  }));
  CHECK_FALSE(shares_differ(facts_of("service " + web + scheduler + "\n10.0.0.11:80 Masq " + first +
                                     "\n10.0.0.12:80 Masq " + second + "\n"))
                  .has_value());
}

TEST_CASE("wlc_sees_the_past: short connections under NAT call for sed") {
  const auto finding = wlc_sees_the_past(
      facts_of(pool(web + "wlc", {"5", "2"}, "active=0,1,0,1,2,0 inactive=1200 connections=0+20")));
  REQUIRE(finding.has_value());
  CHECK(finding->proposal == Proposal{"sed", {10, 10}});
  CHECK(
      holds(finding->seen, "1.33 connections open and 2400 finished ones at 2 destinations; 83 %"));
  CHECK(finding->commands.front() == "ipvsadm -E -t 10.9.9.9:80 -s sed");
  CHECK(finding->configuration ==
        Lines{"keepalived.conf, where keepalived made the service: lb_algo sed, and weight in each "
              "real_server"});
}

TEST_CASE("wlc_sees_the_past: without NAT the director sees half, and wrr looks at nothing") {
  const auto finding = wlc_sees_the_past(facts_of("service " + web + "wlc\n" +
                                                  "10.0.0.11:80 Route weight=33 inactive=900\n"
                                                  "10.0.0.12:80 Route weight=100 inactive=900\n"));
  REQUIRE(finding.has_value());
  CHECK(finding->proposal == Proposal{"wrr", {1, 3}});
  CHECK(holds(finding->advice, "15 minutes"));
  CHECK(holds(finding->commands.back(), "-r 10.0.0.12:80 -g -w 3"));
}

TEST_CASE("wlc_sees_the_past: weights that wrr deals evenly stay") {
  const auto finding = wlc_sees_the_past(facts_of("service " + web + "wlc\n" +
                                                  "10.0.0.11:80 Tunnel weight=50 inactive=900\n"
                                                  "10.0.0.12:80 Tunnel weight=100 inactive=900\n"));
  REQUIRE(finding.has_value());
  CHECK(finding->proposal == Proposal{"wrr", {50, 100}});
  CHECK(finding->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s wrr"});
}

TEST_CASE("wlc_sees_the_past: finished ones outweigh open ones as well") {
  CHECK(wlc_sees_the_past(facts_of(pool(web + "lc", {"1", "1"}, "active=4 inactive=2000")))
            .has_value());
}

TEST_CASE("wlc_sees_the_past: not where connections are open, nor UDP, nor without traffic") {
  const auto [service, rest] = GENERATE(table<std::string, std::string>({
      {"tcp:10.9.9.9:80 wlc", "active=40 inactive=1200"},
      {"tcp:10.9.9.9:80 wlc", "active=0 inactive=5"},
      {"tcp:10.9.9.9:80 wlc persistent=60", "active=0 inactive=1200"},
      {"udp:10.9.9.9:80 wlc", "active=0 inactive=1200"},
      {"tcp:10.9.9.9:80 sed", "active=0 inactive=1200"},
  }));
  CHECK_FALSE(wlc_sees_the_past(facts_of(pool(service, {"1", "1"}, rest))).has_value());
}

TEST_CASE("udp_is_never_active: sed and nq on UDP only") {
  const auto finding =
      udp_is_never_active(facts_of(pool("udp:10.9.9.9:53 sed ops", {"1", "2"}, "inactive=7")));
  REQUIRE(finding.has_value());
  CHECK(finding->severity == Severity::warning);
  CHECK(finding->commands == Lines{"ipvsadm -E -u 10.9.9.9:53 -s wlc -o"});
  CHECK(udp_is_never_active(facts_of(pool("udp:10.9.9.9:53 nq", {"1", "2"}, ""))).has_value());
  CHECK_FALSE(
      udp_is_never_active(facts_of(pool("udp:10.9.9.9:53 wlc", {"1", "2"}, ""))).has_value());
  CHECK_FALSE(udp_is_never_active(facts_of(pool(web + "sed", {"1", "2"}, ""))).has_value());
  CHECK_FALSE(udp_is_never_active(facts_of(pool("udp:10.9.9.9:53 sed", {"1"}, ""))).has_value());
}

TEST_CASE("threshold_reached: a full destination and one that is near") {
  const auto [rest, severity, command] = GENERATE(table<std::string, Severity, std::string>({
      {"active=10 inactive=990,980 upper=1000 lower=800", Severity::warning, "-x 1500 -y 1200"},
      {"active=10 inactive=890 upper=1000", Severity::note, "-x 1400"},
  }));
  const auto finding = threshold_reached(facts_of(pool(web + "wrr", {"1"}, rest)));
  REQUIRE(finding.has_value());
  CHECK(finding->severity == severity);
  CHECK(finding->commands == Lines{"ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1 " + command});
  CHECK(holds(finding->seen, "of 1000 connections"));
}

TEST_CASE("threshold_reached: not below nine tenths, nor where there is none") {
  const auto* const rest =
      GENERATE("active=10 inactive=880 upper=1000", "active=5000 inactive=9000");
  CHECK_FALSE(threshold_reached(facts_of(pool(web + "wrr", {"1"}, rest))).has_value());
}

TEST_CASE("drained_with_connections: they go on, and with persistence they keep coming") {
  const auto plain =
      drained_with_connections(facts_of(pool(web + "wrr", {"0"}, "active=3 connections=100")));
  REQUIRE(plain.has_value());
  CHECK(plain->severity == Severity::note);
  CHECK(plain->seen == "10.0.0.11:80 has weight 0 and 3 open connections; 0 new ones in 10 s");
  const auto sticky = drained_with_connections(
      facts_of(pool(web + "wrr persistent=360", {"0"}, "active=3 connections=100+2")));
  REQUIRE(sticky.has_value());
  CHECK(sticky->severity == Severity::warning);
  CHECK(sticky->commands == Lines{"sysctl -w net.ipv4.vs.expire_quiescent_template=1"});
}

TEST_CASE("drained_with_connections: not when empty, in service, or drained a moment ago") {
  const auto [weight, rest] = GENERATE(table<std::string, std::string>(
      {{"0", "active=0 inactive=9"}, {"1", "active=3"}, {"1,1,0", "active=3"}}));
  CHECK_FALSE(drained_with_connections(facts_of(pool(web + "wrr", {weight}, rest))).has_value());
}

TEST_CASE("counters_stand_still: connections move and counters do not") {
  CHECK(counters_stand_still(facts_of(pool(web + "wrr", {"1"}, "active=3,9,4 connections=7")))
            .has_value());
  const auto* const rest =
      GENERATE("active=3,9,4 connections=7+1", "active=3 connections=7", "connections=7");
  CHECK_FALSE(counters_stand_still(facts_of(pool(web + "wrr", {"1"}, rest))).has_value());
  CHECK_FALSE(
      counters_stand_still(facts_of(pool(web + "wrr proc", {"1"}, "active=3,9"))).has_value());
}

TEST_CASE("few_persistent_clients: one address a client first, then none at all") {
  const auto [service, command] = GENERATE(table<std::string, std::string>({
      {"wrr persistent=360 mask=255.255.255.0", "ipvsadm -E -t 10.9.9.9:80 -s wrr -p 360"},
      {"wrr persistent=360", "ipvsadm -E -t 10.9.9.9:80 -s wrr"},
  }));
  const auto finding =
      few_persistent_clients(facts_of(pool(web + service, {"1", "2"}, "templates=4")));
  REQUIRE(finding.has_value());
  CHECK(holds(finding->seen, "8 persistence templates at 2 destinations, timeout 360 s"));
  CHECK(holds(finding->effect, "about 50 %"));
  CHECK(finding->commands == Lines{command});
}

TEST_CASE("few_persistent_clients: not with many, none, or without persistence") {
  const auto [service, rest] = GENERATE(table<std::string, std::string>({
      {"wrr persistent=360", "templates=20"},
      {"wrr persistent=360", "templates=0"},
      {"wrr", "templates=4"},
      {"wrr persistent=360 proc", "templates=4"},
  }));
  CHECK_FALSE(few_persistent_clients(facts_of(pool(web + service, {"1", "2"}, rest))).has_value());
}

TEST_CASE("hash_moves_clients: when weights change, by whomever") {
  const auto changed = hash_moves_clients(facts_of(pool(web + "sh fallback", {"10,9", "10"}, "")));
  REQUIRE(changed.has_value());
  CHECK(holds(changed->effect, "133 of 300"));
  CHECK(changed->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s mh -b mh-fallback"});
  const auto steered = hash_moves_clients(
      facts_of("service " + web + "mh\ndaemon\n10.0.0.11:80 Masq weight=5 outcome=unchanged\n"));
  REQUIRE(steered.has_value());
  CHECK(steered->commands.empty());
  CHECK(steered->configuration ==
        Lines{"monitord.yaml, services: - {service: \"tcp:10.9.9.9:80\", boundary: 20%}"});
}

TEST_CASE("hash_moves_clients: not where they stand still, nor without a hash") {
  CHECK_FALSE(hash_moves_clients(facts_of(pool(web + "sh", {"10", "9"}, ""))).has_value());
  CHECK_FALSE(hash_moves_clients(facts_of(pool(web + "wrr", {"10,9", "10"}, ""))).has_value());
}

TEST_CASE("hash_has_no_slot: more weight than slots") {
  const auto finding = hash_has_no_slot(facts_of(pool(web + "sh", {"300", "300", "1"}, "")));
  REQUIRE(finding.has_value());
  CHECK(holds(finding->advice, "127:127:1 says nearly the same"));
  CHECK(finding->commands.front() == "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 127");
  CHECK(finding->commands.size() == 2);
  CHECK_FALSE(hash_has_no_slot(facts_of(pool(web + "sh", {"128", "128"}, ""))).has_value());
  CHECK_FALSE(hash_has_no_slot(facts_of(pool(web + "mh", {"300", "300"}, ""))).has_value());
}

TEST_CASE("hash_has_no_slot: the proposal never needs more slots than there are") {
  const Lines many(100, "3");
  auto weights = many;
  weights.emplace_back("1000");
  const auto finding = hash_has_no_slot(facts_of(pool(web + "sh", weights, "")));
  REQUIRE(finding.has_value());
  // 100 servers with one slot each leave 156.
  CHECK(holds(finding->commands.back(), "-w 156"));
}

TEST_CASE("hash_refuses_clients: weight 0 without a fallback") {
  const auto finding = hash_refuses_clients(facts_of(pool(web + "sh", {"5", "0"}, "")));
  REQUIRE(finding.has_value());
  CHECK(holds(finding->seen, "sh without sh-fallback, and weight 0 at 10.0.0.12:80"));
  CHECK(finding->commands == Lines{"ipvsadm -E -t 10.9.9.9:80 -s sh -b sh-fallback"});
  const auto* const service = GENERATE("sh fallback", "wrr", "sh proc");
  CHECK_FALSE(hash_refuses_clients(facts_of(pool(web + service, {"5", "0"}, ""))).has_value());
  CHECK_FALSE(hash_refuses_clients(facts_of(pool(web + "sh", {"5", "5"}, ""))).has_value());
}

TEST_CASE("findings: the worst first") {
  const auto findings = findings_of(facts_of(
      pool(web + "wrr", {"33", "79", "165"}, "active=1 connections=0+100 upper=1000 inactive=950") +
      "10.0.0.19:80 Masq weight=0 active=1\n"));
  Lines ids;
  for (const auto& finding : findings)
    ids.push_back(finding.id);
  CHECK(ids == Lines{"wrr_bursts", "sed_is_the_rival", "shares_differ", "threshold_reached",
                     "drained_with_connections"});
}

TEST_CASE("findings: where there are none, why") {
  const auto [text, reason] = GENERATE(table<std::string, std::string>({
      {pool(web + "sed", {}, ""), "no destination has a weight"},
      {pool(web + "sed", {"1", "0"}, ""), "one destination has a weight"},
      {pool(web + "sed", {"1", "1"}, "connections=5"), "no new connection came in 10 s"},
      {pool(web + "sed", {"1", "1"}, "connections=5+5"), "fit together"},
      {pool(web + "sed proc", {"1", "1"}, ""), "without counters"},
  }));
  const auto facts = facts_of(text);
  CHECK(findings_of(facts).empty());
  CHECK(holds(nothing_text(facts), reason));
}
