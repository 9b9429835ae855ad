#include "monitord/probe_targets.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "director.hpp"
#include "monitord/http_probe.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

Config probing_config() {
  Config config;
  config.defaults.probe.emplace();
  return config;
}

std::vector<std::string> endpoints(const std::vector<ProbeTarget>& targets) {
  std::vector<std::string> names;
  for (auto const& target : targets)
    names.push_back(string_from_endpoint(target.endpoint));
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("probe targets: without a probe nobody is asked") {
  CHECK(targets_from_table({}, probing_config()).empty());
  std::vector const table{service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}})};
  CHECK(targets_from_table(table, Config{}).empty());
}

TEST_CASE("probe targets: drained destinations and ones without a TCP port are left out") {
  std::vector const table{
      service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 0}, {"10.0.0.12:80", 1}}),
      service("udp:10.9.9.9:53", "wlc", {{"10.0.0.11:53", 1}}),
      service("sctp:10.9.9.9:99", "wlc", {{"10.0.0.11:99", 1}}),
      service("fwm:7", "wlc", {{"10.0.0.11:0", 1}, {"10.0.0.12:8080", 1}}),
      service("tcp:10.9.9.9:81", "rr", {{"10.0.0.11:81", 1}}),
  };
  CHECK(endpoints(targets_from_table(table, probing_config())) ==
        Names{"10.0.0.12:80", "10.0.0.12:8080"});
  auto config = probing_config();
  config.defaults.probe->port = 9000;
  CHECK(endpoints(targets_from_table(table, config)) == Names{"10.0.0.12:9000", "10.0.0.11:9000",
                                                              "10.0.0.11:9000", "10.0.0.11:9000",
                                                              "10.0.0.12:9000"});
}

TEST_CASE("probe targets: a list probes what its own entries say") {
  std::vector const table{service("tcp:10.9.9.9:80", "wlc", {{"[fd00::11]:80", 10}}),
                          service("tcp:10.9.9.9:81", "rr", {{"10.0.0.11:81", 10}}),
                          service("tcp:10.9.9.9:82", "wlc", {{"10.0.0.11:82", 10}})};
  auto config = probing_config();
  ServiceConfig web;
  web.key = service_key("tcp:10.9.9.9:80");
  web.policy.probe.emplace();
  web.policy.probe->kind = ProbeConfig::Kind::http;
  web.policy.probe->expect = {200, 204};
  ServiceConfig quiet;
  quiet.key = service_key("tcp:10.9.9.9:81");
  config.services = {web, quiet};
  auto const targets = targets_from_table(table, config);
  REQUIRE(targets.size() == 1);
  CHECK(targets[0].key ==
        TargetKey{service_key("tcp:10.9.9.9:80"), destination_key("[fd00::11]:80")});
  CHECK(targets[0].endpoint == Endpoint{address("fd00::11"), 80});
  CHECK(targets[0].request == http_request(*web.policy.probe, targets[0].endpoint));
  CHECK(targets[0].expect == StatusRange{200, 204});
}

TEST_CASE("probe targets: times are the cycle's and at most a second unless they are given") {
  std::vector const table{service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}})};
  auto config = probing_config();
  auto& probe = *config.defaults.probe;
  auto const only = [&] { return targets_from_table(table, config).at(0); };
  CHECK(only().interval == 2s);
  CHECK(only().deadline == 1s);
  CHECK(only().request.empty());
  config.interval = 500ms;
  CHECK(only().interval == 500ms);
  CHECK(only().deadline == 500ms);
  probe.interval = 10s;
  probe.deadline = 3s;
  CHECK(only().interval == 10s);
  CHECK(only().deadline == 3s);
}
