#include "monitord/outputs/dns_answers.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const auto web = service_key("pool web");
const auto s1 = destination_key("10.0.0.11:80");
const auto s2 = destination_key("10.0.0.12:80");
const auto s6 = destination_key("[fd00::11]:80");

std::vector<OutputServer> servers(std::uint32_t first, std::uint32_t second, std::uint32_t sixth) {
  return {{s1, "s1", 100, first}, {s2, "s2", 100, second}, {s6, "s6", 100, sixth}};
}

struct Fixture {
  Config config{};
  DnsAnswers answers{};

  Fixture() {
    config.outputs.dns.zone = "lb.example.org";
    config.outputs.dns.nameservers = {"ns1.example.org", "ns2.example.org"};
    config.outputs.dns.ttl = 5s;
    auto& pool = config.pools.emplace_back();
    pool.service.key = web;
    pool.service.output = OutputKind::dns;
    declare(10, 30, 7);
  }
  void declare(std::uint32_t first, std::uint32_t second, std::uint32_t sixth, bool acts = true) {
    answers.configure(config);
    answers.declare({{web, "web.lb.example.org", servers(first, second, sixth)}}, acts, 0s);
  }
  std::string ask(const std::string& method, const std::string& parameters,
                  std::uint64_t chance = 0) {
    return answers.answer(R"({"method":")" + method + R"(","parameters":{)" + parameters + "}}",
                          chance);
  }
  /// "A 10.0.0.11 5", a record each.
  std::vector<std::string> lookup(const std::string& name, const std::string& type,
                                  std::uint64_t chance = 0) {
    auto const line = ask("lookup", R"("qname":")" + name + R"(","qtype":")" + type + '"', chance);
    auto const document = boost::json::parse(line);
    std::vector<std::string> records;
    for (auto const& one : document.at("result").as_array()) {
      CHECK(one.at("qname").as_string() == name.c_str());
      records.push_back(std::string(one.at("qtype").as_string()) + " " +
                        std::string(one.at("content").as_string()) + " " +
                        std::to_string(one.at("ttl").as_int64()));
    }
    return records;
  }
  void write(const ipvs::DestinationKey& key, std::uint32_t weight) {
    OutputServer const one{key, "", 1, weight};
    REQUIRE(answers.apply(web, {&one, 1}).at(0).has_value());
  }
};

using Records = std::vector<std::string>;
const std::string soa = "SOA ns1.example.org. hostmaster.lb.example.org. 1 3600 600 604800 5 5";
const Records name_servers{"NS ns1.example.org. 3600", "NS ns2.example.org. 3600"};

}  // namespace

TEST_CASE("dns answers: what is no question is told no, and counted") {
  Fixture host;
  CHECK(host.answers.answer("", 0) == "{\"result\":false}\n");
  CHECK(host.answers.answer("GET / HTTP/1.1", 0) == "{\"result\":false}\n");
  CHECK(host.answers.counters() == DnsCounters{0, 0, 2});
}

TEST_CASE("dns answers: a server or pool of nobody's is refused") {
  Fixture host;
  OutputServer const nobody{destination_key("10.0.0.99:80"), "", 1, 1};
  CHECK_FALSE(host.answers.apply(web, {&nobody, 1}).at(0).has_value());
  OutputServer const one{s1, "", 1, 1};
  CHECK_FALSE(host.answers.apply(service_key("pool mail"), {&one, 1}).at(0).has_value());
}

TEST_CASE("dns answers: names that are not there have no records, those of other zones either") {
  Fixture host;
  auto const name =
      GENERATE(as<std::string>{}, "lb.example.org.evil.org.", "none.lb.example.org.",
               "*.lb.example.org.", "example.org.", "org.", ".", "xweb.lb.example.org");
  CAPTURE(name);
  CHECK(host.lookup(name, "ANY").empty());
  CHECK(host.lookup(name, "SOA").empty());
  CHECK(host.answers.counters() == DnsCounters{0, 2, 0});
}

TEST_CASE("dns answers: the zone has its SOA and its name servers, each when it is asked for") {
  Fixture host;
  CHECK(host.lookup("lb.example.org.", "SOA") == Records{soa});
  CHECK(host.lookup("LB.Example.ORG.", "NS") == name_servers);
  CHECK(host.lookup("lb.example.org.", "ANY") == Records{soa, name_servers[0], name_servers[1]});
  CHECK(host.lookup("lb.example.org.", "A").empty());
  CHECK(host.lookup("web.lb.example.org.", "SOA").empty());  // PowerDNS gives up at anything else
  host.config.outputs.dns.contact = "dns.example.org";
  host.declare(1, 1, 1);
  CHECK(host.lookup("lb.example.org.", "SOA")[0].find(" dns.example.org. ") != std::string::npos);
}

TEST_CASE("dns answers: one address of each family") {
  Fixture host;
  CHECK(host.lookup("web.lb.example.org.", "A") == Records{"A 10.0.0.11 5"});
  CHECK(host.lookup("WEB.lb.example.org.", "AAAA") == Records{"AAAA fd00::11 5"});
  CHECK(host.lookup("web.lb.example.org.", "ANY") == Records{"A 10.0.0.11 5", "AAAA fd00::11 5"});
  CHECK(host.lookup("web.lb.example.org.", "TXT").empty());
  CHECK(host.answers.counters() == DnsCounters{3, 1, 0});
}

TEST_CASE("dns answers: addresses come by the weights of the last decision, a 0 never") {
  Fixture host;
  std::map<std::string, int> counts;
  for (std::uint64_t chance = 0; chance < 400; ++chance)
    ++counts[host.lookup("web.lb.example.org.", "A", chance).at(0)];
  CHECK(counts == std::map<std::string, int>{{"A 10.0.0.11 5", 100}, {"A 10.0.0.12 5", 300}});
  host.write(s1, 0);
  for (std::uint64_t chance = 0; chance < 50; ++chance)
    CHECK(host.lookup("web.lb.example.org.", "A", chance) == Records{"A 10.0.0.12 5"});
  host.write(s6, 0);
  CHECK(host.lookup("web.lb.example.org.", "AAAA").empty());
  CHECK(host.lookup("web.lb.example.org.", "ANY").size() == 1);
}

TEST_CASE("dns answers: the best server, where the pool says so") {
  Fixture host;
  host.config.pools[0].choice = DnsChoice::best;
  host.declare(40, 30, 1);
  for (std::uint64_t chance = 0; chance < 20; ++chance)
    CHECK(host.lookup("web.lb.example.org.", "A", chance) == Records{"A 10.0.0.11 5"});
  host.write(s1, 20);
  CHECK(host.lookup("web.lb.example.org.", "A", 7) == Records{"A 10.0.0.12 5"});
}

TEST_CASE("dns answers: a pool may have the name of the zone itself") {
  Fixture host;
  host.answers.declare({{web, "lb.example.org", servers(1, 0, 0)}}, true, 0s);
  CHECK(host.lookup("lb.example.org.", "ANY") ==
        Records{soa, name_servers[0], name_servers[1], "A 10.0.0.11 5"});
}

TEST_CASE("dns answers: what PowerDNS wants to know besides") {
  Fixture host;
  CHECK(host.ask("initialize", "") == "{\"result\":true}\n");
  CHECK(host.ask("getDomainInfo", R"("name":"LB.example.org.")")
            .starts_with(R"({"result":{"id":1,"zone":"lb.example.org")"));
  CHECK(host.ask("getDomainInfo", R"("name":"example.org.")") == "{\"result\":false}\n");
  CHECK(host.ask("getAllDomains", "").starts_with(R"({"result":[{)"));
  CHECK(host.ask("getAllDomainMetadata", R"("name":"lb.example.org.")") == "{\"result\":{}}\n");
  CHECK(host.ask("getDomainMetadata", R"("name":"lb.example.org.")") == "{\"result\":[]}\n");
  auto const changing = GENERATE(as<std::string>{}, "list", "createDomain", "feedRecord",
                                 "deactivateDomainKey", "startTransaction", "directBackendCmd");
  CHECK(host.ask(changing, "") == "{\"result\":false}\n");
}

TEST_CASE("dns answers: in a dry run, and without a pool, there is nothing to answer") {
  Fixture host;
  CHECK(host.answers.is_wanted());
  host.declare(1, 1, 1, false);
  CHECK_FALSE(host.answers.is_wanted());
  host.answers.declare({}, true, 0s);
  CHECK_FALSE(host.answers.is_wanted());
}
