#include "monitord/config_difference.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "config_support.hpp"
#include "monitord/config_yaml.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;

namespace {

Config config(const std::string& text) {
  return config_from_yaml(text, "t").value().config;
}

using Lines = std::vector<std::string>;

Lines difference(const std::string& before, const std::string& after) {
  return config_difference(config(before), config(after));
}

}  // namespace

TEST_CASE("difference: none between equal configurations") {
  CHECK(difference("", "").empty());
  const std::string everything =
      text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml");
  CHECK(difference(everything, everything).empty());
  CHECK(difference("interval: 2s", "interval: 2000ms").empty());
}

TEST_CASE("difference: single settings in the words of the file") {
  CHECK(difference("", "interval: 4s\ndry_run: false\nagent: {deadline: 250ms}\n") ==
        Lines{"agent.deadline: 500ms -> 250ms", "dry_run: true -> false", "interval: 2s -> 4s"});
  CHECK(difference("defaults: {boundary: 3}", "defaults: {boundary: 7.5%}") ==
        Lines{"defaults: boundary: 3 -> 7.5%"});
  CHECK(difference("", "record: {file: /tmp/r, max_size: 1536KiB}") ==
        Lines{"record.file: none -> /tmp/r", "record.max_size: 64MiB -> 1536KiB"});
  CHECK(difference("log: {level: info}", "log: {level: debug}") ==
        Lines{"log.level: info -> debug"});
}

TEST_CASE("difference: services and servers come and go") {
  CHECK(difference("services: [{service: fwm:7}]", "services: [{service: fwm:8}]") ==
        Lines{"fwm 7: removed", "fwm 8: added"});
  CHECK(difference("", "services: [{service: fwm:7}]") ==
        Lines{"services: all that use weights -> as listed", "fwm 7: added"});
  CHECK(difference("servers: {10.0.0.11: {base: 10}}", "servers: {10.0.0.11: {name: web1}}") ==
        Lines{"server 10.0.0.11: base: 10 -> none", "server 10.0.0.11: name: none -> web1"});
}

TEST_CASE("difference: base weights of a service") {
  const std::string head = "services:\n  - service: fwm:7\n    servers:\n";
  CHECK(difference(head + "    - {destination: \"10.0.0.11:0\", base: 10}\n",
                   head + "    - {destination: \"10.0.0.11:0\", base: 20}\n"
                          "    - {destination: \"10.0.0.12:0\", base: 5}\n") ==
        Lines{"fwm 7: base of 10.0.0.11:0: 10 -> 20", "fwm 7: base of 10.0.0.12:0: none -> 5"});
}

TEST_CASE("difference: outputs, and pools with all that is theirs") {
  const std::string head = "pools:\n  - {pool: a, output: haproxy, strategy: headroom, ";
  const std::string server = "servers: [{destination: \"10.0.0.11:80\", base: 9, name: ";
  CHECK(difference("", head + server + "s}]}\n") == Lines{"pool a: added"});
  CHECK(difference(head + server + "s}]}\n",
                   head + "backend: be, boundary: 3, " + server + "t}]}\n") ==
        Lines{"pool a: backend: a -> be", "pool a: boundary: 5% -> 3",
              "pool a: name of 10.0.0.11:80: s -> t"});
  const std::string service =
      "services: [{service: fwm:7, servers: [{destination: \"10.0.0.11:0\", base: 1}]";
  CHECK(difference(service + "}]", service + ", output: keepalived, folder: /x}]") ==
        Lines{"fwm 7: folder: none -> /x", "fwm 7: output: ipvs -> keepalived"});
  CHECK(difference("", "outputs: {haproxy: {listen: \"[::1]:1\"}}") ==
        Lines{"outputs.haproxy.listen: 127.0.0.1:6355 -> [::1]:1"});
  CHECK(difference("", "outputs: {dns: {ttl: 5s}}") == Lines{"outputs.dns.ttl: 2s -> 5s"});
  CHECK(difference("", "outputs: {nginx: {reload: [/bin/true]}}") ==
        Lines{"outputs.nginx.reload: /usr/sbin/nginx, -s, reload -> /bin/true"});
}

TEST_CASE("difference: every key of the file is seen") {
  // Each of these lines differs from the default; a key that the difference forgot is missing.
  const std::string text = text_of_file(LVS_SOURCE_DIR "/tests/golden/config/everything.yaml");
  const Lines lines = difference("", text);
  const std::size_t general = 25;  // top level to outputs, and "services"
  const std::size_t defaults = 68;
  CHECK(lines.size() == general + defaults + 2 /* servers */ + 3 /* services */ + 1 /* pool */);
}

TEST_CASE("difference: probes come and go and change") {
  CHECK(difference("", "defaults: {probe: {type: tcp}}") ==
        Lines{"defaults: probe.type: none -> tcp"});
  CHECK(difference("defaults: {probe: {type: http, path: /a}}",
                   "defaults: {probe: {type: http, path: /b, interval: 4s}}") ==
        Lines{"defaults: probe.interval: none -> 4s", "defaults: probe.path: /a -> /b"});
}
