#include "monitord/config_yaml.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config_support.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;

namespace {

ipvs::IpAddress address(const std::string& text) {
  return ipvs::ip_address_from_string(text).value();
}

ipvs::DestinationKey destination(const std::string& text) {
  return ipvs::destination_key_from_string(text).value();
}

CheckedConfig valid_config(std::string text) {
  auto checked = config_from_yaml(std::move(text), "monitord.yaml");
  if (!checked) FAIL(strictyaml::string_from_problems(checked.error()));
  return *std::move(checked);
}

}  // namespace

TEST_CASE("config: every bad file says all that is wrong with it") {
  const auto files = yaml_files("tests/golden/config");
  CHECK(files.size() >= 28);
  for (const auto& file : files) {
    INFO(file);
    const auto checked = config_from_yaml(text_of_file(file), file.filename());
    const std::string said = checked
                                 ? "valid\n" + strictyaml::string_from_problems(checked->warnings)
                                 : strictyaml::string_from_problems(checked.error());
    CHECK(said == expected_text(file));
  }
}

TEST_CASE("config: a base of 0 is refused where it stands: case 24 and case 53") {
  const auto checked =
      config_from_yaml("servers:\n  10.0.0.11: {base: 0}\n", "/etc/monitord/monitord.yaml");
  REQUIRE_FALSE(checked.has_value());
  const auto said = strictyaml::string_from_problems(checked.error());
  CHECK(said.find("/etc/monitord/monitord.yaml:2:21: error: servers[\"10.0.0.11\"].base: a base "
                  "weight of 0 is refused") == 0);
}

TEST_CASE("config: the shipped file is valid and holds nothing but defaults") {
  const auto checked = valid_config(text_of_file(LVS_SOURCE_DIR "/etc/monitord.yaml"));
  CHECK(checked.warnings.empty());
  CHECK(checked.config == Config{});
  CHECK(checked.config.dry_run);
  CHECK_FALSE(checked.config.services.has_value());
}

TEST_CASE("config: the examples in the shipped file are valid once they are uncommented") {
  std::string text = text_of_file(LVS_SOURCE_DIR "/etc/monitord.yaml");
  for (const std::string section : {"record:", "servers:", "services:", "pools:"}) {
    auto line = text.find("\n#" + section);
    REQUIRE(line != std::string::npos);
    while (line != std::string::npos && text.compare(line, 2, "\n#") == 0) {
      text.erase(line + 1, 1);
      line = text.find('\n', line + 1);
    }
  }
  const auto checked = valid_config(text);
  CHECK(checked.warnings.size() == 1);  // an IPv6 destination of an IPv4 service
  CHECK(checked.config.record.file == "/var/lib/monitord/record.jsonl");
  CHECK(checked.config.servers.size() == 2);
  REQUIRE(checked.config.services.has_value());
  CHECK(checked.config.services->size() == 1);
  CHECK(checked.config.pools.size() == 1);
}

TEST_CASE("config: an empty file is the default configuration") {
  CHECK(valid_config("").config == Config{});
  CHECK(valid_config("# nothing\n").config == Config{});
}

TEST_CASE("config: every key reaches its value") {
  const auto file = LVS_SOURCE_DIR "/tests/golden/config/everything.yaml";
  const Config config = valid_config(text_of_file(file)).config;
  CHECK_FALSE(config.dry_run);
  CHECK(config.interval == 4s);
  CHECK(config.hold_polls == 5);
  CHECK(config.agent == AgentConfig{7000, 1500ms, Security::none, "/etc/keys"});
  CHECK(config.control_socket == "/tmp/control.sock");
  CHECK(config.state_file == "/tmp/state.journal");
  CHECK(config.log_level == "debug");
  CHECK(config.log_format == "json");
  CHECK(config.record == RecordConfig{"/tmp/record", std::uint64_t{1} << 30U, 7});
  CHECK(config.http == HttpConfig{"/tmp/http.sock", {"lvs1.example.org", "lvs"}});

  const Policy& defaults = config.defaults;
  CHECK(defaults.strategy == StrategyKind::headroom);
  CHECK(defaults.boundary == loadcalc::Boundary{loadcalc::Boundary::Unit::weight, 3});
  CHECK(defaults.weights == loadcalc::WeightRange{2, 200});
  CHECK(defaults.min_write_interval == 0s);
  CHECK(defaults.up_step == 0.25);
  CHECK(defaults.capacity.gamma_share == 0.6);
  CHECK(defaults.capacity.gamma_correction == 0.3);
  CHECK(defaults.capacity.prior == 4);
  CHECK(defaults.capacity.learning.lambda == 0.9);
  CHECK(defaults.capacity.learning.lambda_short == 0.5);
  CHECK(defaults.capacity.learning.memory_brake == 0.1);
  CHECK(defaults.capacity.learning.minimum_cpu == 0.02);
  CHECK(defaults.capacity.learning.minimum_completions == 40);
  CHECK(defaults.capacity.learning.smoothing == 0.7);
  CHECK(defaults.capacity.correction_min == 0.6);
  CHECK(defaults.capacity.correction_max == 1.4);
  CHECK(defaults.capacity.ratio_exponent_wlc == 0.5);
  CHECK(defaults.capacity.ratio_exponent_sed == 0.1);
  CHECK(defaults.headroom.scale == 1.5);
  CHECK(defaults.probe == ProbeConfig{ProbeConfig::Kind::http, "/health", "www.example.org",
                                      StatusRange{200, 299}, 8080, 10s, 2s});
  CHECK(defaults.feedback.coefficients ==
        loadcalc::FeedbackCoefficients{0.2, 0.2, 0.2, 0.15, 0.05, 0.2});
  CHECK(defaults.feedback.step == 3);
  CHECK(defaults.feedback.scale == 5);
  CHECK(defaults.feedback.set_point == 0.9);
  CHECK(defaults.feedback.dead_band == 0.1);
  CHECK(defaults.feedback.idle == 0.5);
  CHECK(defaults.feedback.cpu_right == 0.6);
  CHECK(defaults.feedback.memory_right == 0.8);
  CHECK(defaults.feedback.disk_right == 0.5);
  CHECK(defaults.response.coefficients == loadcalc::ResponseCoefficients{0.4, 0.3, 0.2, 0.1});
  CHECK(defaults.response.load_share == 0.4);
  CHECK(defaults.linear.coefficients ==
        loadcalc::LinearCoefficients{0.3, 0.3, 0.15, 0.15, 0.05, 0.05});
  CHECK(defaults.linear.cut_off == 0.8);
}

namespace {

/// Every key of the maps of a document, but for those of `servers`, which are addresses.
void collect_keys(const strictyaml::Node& node, std::set<std::string>& keys) {
  for (const auto& item : node.is_sequence() ? node.items() : std::vector<strictyaml::Node>{}) {
    collect_keys(item, keys);
  }
  for (const auto& [key, value] :
       node.is_map() ? node.entries()
                     : std::vector<std::pair<strictyaml::Node, strictyaml::Node>>{}) {
    if (!ipvs::ip_address_from_string(key.as_string().value())) keys.insert(*key.as_string());
    collect_keys(value, keys);
  }
}

}  // namespace

TEST_CASE("config: the manual page names every key") {
  const std::string page = text_of_file(LVS_SOURCE_DIR "/man/monitord.yaml.5.scd");
  const strictyaml::Document document{
      text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml"), "everything.yaml"};
  std::set<std::string> keys;
  collect_keys(document.root(), keys);
  CHECK(keys.size() > 40);
  for (const std::string& key : keys) {
    INFO(key);
    CHECK(page.find("*" + key + ":*") != std::string::npos);
  }
}

TEST_CASE("config: composite holds for every strategy and guards for all") {
  const Policy policy =
      valid_config("defaults: {composite: {cpu: 0.7, memory: 0.3}, guards: {saturation_cpu: 0.9}}")
          .config.defaults;
  CHECK(policy.capacity.shares == loadcalc::CompositeShares{0.7, 0.3});
  CHECK(policy.headroom.shares == policy.capacity.shares);
  CHECK(policy.relief.saturation_cpu == 0.9);
  CHECK(policy.relief.memory_reserve == loadcalc::ReliefParameters{}.memory_reserve);
}

TEST_CASE("config: servers say what their address does not") {
  const auto servers =
      valid_config(text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml"))
          .config.servers;
  REQUIRE(servers.size() == 2);
  CHECK(servers.at(address("10.0.0.11")) ==
        ServerConfig{"web1", address("192.168.7.11"), 6354, 10});
  CHECK(servers.at(address("2001:db8::12")) ==
        ServerConfig{std::nullopt, std::nullopt, std::nullopt, 20});
}

TEST_CASE("config: a service inherits the defaults and changes some") {
  const Config config =
      valid_config(text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml")).config;
  REQUIRE(config.services.has_value());
  REQUIRE(config.services->size() == 3);
  const ServiceConfig& web = config.services->at(0);
  Policy expected = config.defaults;
  expected.strategy = StrategyKind::capacity;
  expected.boundary = {loadcalc::Boundary::Unit::percent, 12.5};
  expected.weights.max = 50;
  expected.capacity.prior = 8;
  expected.capacity.shares = expected.headroom.shares = {0.5, 0.5};
  CHECK(ipvs::string_from_service_key(web.key) == "tcp 10.9.9.9:80");
  CHECK(web.policy == expected);
  CHECK(web.bases == std::map<ipvs::DestinationKey, std::uint32_t>{
                         {destination("10.0.0.11:80"), 10}, {destination("10.0.0.12:80"), 20}});

  const ServiceConfig& mark = config.services->at(1);
  CHECK(ipvs::string_from_service_key(mark.key) == "fwm6 7");
  expected = config.defaults;
  expected.probe->kind = ProbeConfig::Kind::tcp;
  expected.probe->interval = 5s;
  CHECK(mark.policy == expected);
  CHECK(mark.bases.at(destination("[2001:db8::12]:0")) == 30);
  CHECK(mark.output == OutputKind::ipvs);

  const ServiceConfig& kept = config.services->at(2);
  CHECK(kept.output == OutputKind::keepalived);
  CHECK(kept.folder == "/var/lib/monitord/keepalived/web");
}

TEST_CASE("config: a pool is declared with all that its output needs") {
  const Config config =
      valid_config(text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml")).config;
  CHECK(config.outputs.haproxy_listen == "[::1]:7355");
  CHECK(config.outputs.nginx.test ==
        std::vector<std::string>{"/usr/bin/systemctl", "start", "nginx-test.service"});
  CHECK(config.outputs.nginx.reload == std::vector<std::string>{"/bin/true"});
  CHECK(config.outputs.dns == DnsConfig{"/run/monitord-dns/socket",
                                        "lb.example.org",
                                        {"ns1.example.org", "ns2.example.org"},
                                        "dns.example.org",
                                        5s});
  REQUIRE(config.pools.size() == 1);
  const PoolConfig& pool = config.pools.front();
  Policy expected = config.defaults;
  expected.boundary.value = 5;
  CHECK(ipvs::string_from_service_key(pool.service.key) == "pool web");
  CHECK(pool.service.output == OutputKind::haproxy);
  CHECK(pool.service.policy == expected);
  CHECK(pool.service.bases ==
        std::map<ipvs::DestinationKey, std::uint32_t>{{destination("10.0.0.11:80"), 100}});
  CHECK(pool.names ==
        std::map<ipvs::DestinationKey, std::string>{{destination("10.0.0.11:80"), "s1"}});
  CHECK(pool.balance == "leastconn");
  CHECK(pool.backend == "be");
  CHECK(pool.stats == "/run/haproxy/admin.sock");
}

TEST_CASE("config: a pool without counters is steered by its readings") {
  const auto pools =
      valid_config(text_of_file(LVS_SOURCE_DIR "/tests/golden/config/pools.yaml")).config.pools;
  REQUIRE(pools.size() == 6);
  CHECK(pools[0].service.policy.standby == StandbyPolicy::keep);
  CHECK(pools[1].service.policy.standby == StandbyPolicy::steer);
  CHECK(pools[1].backend == "uncounted");  // its own name, as long as nothing else is said
  CHECK(pools[1].balance == "roundrobin");
}

TEST_CASE("config: nginx is told rarely unless its pool says otherwise, whatever defaults say") {
  const std::string text = "defaults: {boundary: 3, min_write_interval: 6s}\n" +
                           text_of_file(LVS_SOURCE_DIR "/tests/golden/config/pools.yaml");
  const auto pools = valid_config(text).config.pools;
  REQUIRE(pools.size() == 6);
  CHECK(pools[1].service.policy.min_write_interval == 6s);
  const PoolConfig& served = pools[2];
  CHECK(served.service.output == OutputKind::nginx);
  CHECK(served.file == "/var/lib/monitord/nginx/web.conf");
  CHECK(served.backend.empty());
  CHECK(served.names.at(destination("10.0.0.14:80")) == "10.0.0.14:80");
  CHECK(served.names.at(destination("[2001:db8::14]:80")) == "s2");
  CHECK(served.service.policy.standby == StandbyPolicy::steer);
  CHECK(served.service.policy.min_write_interval == 30s);
  CHECK(served.service.policy.boundary ==
        loadcalc::Boundary{loadcalc::Boundary::Unit::percent, 20});
  CHECK(pools[3].service.policy.min_write_interval == 60s);
  CHECK(pools[3].service.policy.boundary ==
        loadcalc::Boundary{loadcalc::Boundary::Unit::percent, 10});
}

TEST_CASE("config: a pool of the DNS has a name in its zone") {
  const Config config =
      valid_config(text_of_file(LVS_SOURCE_DIR "/tests/golden/config/pools.yaml")).config;
  REQUIRE(config.pools.size() == 6);
  CHECK(config.pools[4].host ==
        "named.lb.example.org");  // its own, as long as nothing else is said
  CHECK(config.pools[4].choice == DnsChoice::weighted);
  CHECK(config.pools[4].balance == "dns");
  CHECK(config.pools[4].service.policy.standby == StandbyPolicy::steer);
  CHECK(config.pools[5].host == "lb.example.org");
  CHECK(config.pools[5].choice == DnsChoice::best);
}

TEST_CASE("config: a pool of the DNS needs a zone, and a zone name servers") {
  const std::string pool =
      "pools: [{pool: a, output: dns, strategy: headroom, servers: [{destination: "
      "\"10.0.0.11:80\", base: 1}]}]\n";
  const auto message = [](const std::string& text) {
    const auto checked = config_from_yaml(text, "a.yaml");
    REQUIRE_FALSE(checked.has_value());
    return checked.error().front().message;
  };
  CHECK(message(pool) == "pools[0]: there is no zone for it");
  CHECK(message("outputs: {dns: {zone: a.b}}\n" + pool) ==
        "outputs.dns: a zone has name servers, and none is named");
  CHECK(message("outputs: {dns: {zone: a.b, nameservers: []}}\n" + pool) ==
        "outputs.dns: a zone has name servers, and none is named");
}

TEST_CASE("config: with pools an empty list of services is meant") {
  const auto checked = valid_config(
      "services: []\npools: [{pool: a, output: haproxy, strategy: headroom, servers: [{name: s, "
      "destination: \"10.0.0.11:80\", base: 1}]}]");
  CHECK(checked.warnings.empty());
  CHECK(checked.config.services->empty());
}

TEST_CASE("config: the pools of all files are one list") {
  const std::string server = "servers: [{name: s, destination: \"10.0.0.11:80\", base: 1}]";
  const std::string head = "pools: [{strategy: headroom, output: haproxy, ";
  const auto checked = config_from_files(
      {{"a", head + "pool: a, " + server + "}]"}, {"b", head + "pool: b, " + server + "}]"}});
  REQUIRE(checked.has_value());
  CHECK(checked->config.pools.size() == 2);
}

TEST_CASE("config: defaults may stand behind the services that inherit them") {
  const Config config =
      valid_config("services: [{service: fwm:7}]\ndefaults: {boundary: 7}\n").config;
  CHECK(config.services->at(0).policy.boundary.value == 7);
}

TEST_CASE("config: no list and an empty list are different") {
  CHECK_FALSE(valid_config("dry_run: false").config.services.has_value());
  const auto checked = valid_config("services: []");
  REQUIRE(checked.config.services.has_value());
  CHECK(checked.config.services->empty());
  CHECK(checked.warnings.size() == 1);
}

TEST_CASE("config: a probe is off until it is asked for and a service may take it away") {
  CHECK_FALSE(valid_config("defaults: {up_step: 1}").config.defaults.probe.has_value());
  CHECK(valid_config("defaults: {probe: {}}").config.defaults.probe == ProbeConfig{});
  const Config config = valid_config(
                            "defaults: {probe: {type: http, path: /health}}\n"
                            "services:\n"
                            "  - {service: fwm:7}\n"
                            "  - {service: fwm:8, probe: {type: none}}\n"
                            "  - {service: fwm:9, probe: {expect: 204}}\n")
                            .config;
  CHECK(config.services->at(0).policy.probe == config.defaults.probe);
  CHECK_FALSE(config.services->at(1).policy.probe.has_value());
  CHECK(config.services->at(2).policy.probe->path == "/health");
  CHECK(config.services->at(2).policy.probe->expect == StatusRange{204, 204});
}

TEST_CASE("config: the deadline of a probe that is not given fits its interval") {
  const Config config = valid_config("interval: 800ms\ndefaults: {probe: {}}").config;
  CHECK(probe_deadline(*config.defaults.probe, config.interval) == 800ms);
  CHECK_FALSE(config_from_yaml("interval: 800ms\ndefaults: {probe: {deadline: 1s}}", "t"));
}
