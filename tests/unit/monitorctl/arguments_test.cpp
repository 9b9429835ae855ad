#include "monitorctl/arguments.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "monitorctl/endpoint.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::service_key;

using Words = std::vector<std::string>;

TEST_CASE("arguments: what ipvsadm users type becomes the list command") {
  const auto [given, expected] = GENERATE(table<Words, Words>({
      {{}, {}},
      {{"-Ln"}, {"list", "-n"}},
      {{"-L"}, {"list"}},
      {{"-l", "-n"}, {"list", "-n"}},
      {{"-nL", "--stats"}, {"list", "-n", "--stats"}},
      {{"-Lnt", "10.9.9.9:80"}, {"list", "-nt", "10.9.9.9:80"}},
      {{"--list", "--rate"}, {"list", "--rate"}},
      {{"list", "-L"}, {"list", "-L"}},
      {{"-S"}, {"save"}},
      {{"-Sn"}, {"save"}},
      {{"-S", "-n"}, {"save", "-n"}},
      {{"--save"}, {"save"}},
      {{"--help"}, {"--help"}},
      {{"-h"}, {"-h"}},
      {{"-"}, {"-"}},
      {{"status"}, {"status"}},
  }));
  CHECK(with_ipvsadm_habits(given) == expected);
}

TEST_CASE("arguments: --sort has a key, or stands alone before a service") {
  const auto [given, expected] = GENERATE(table<Words, Words>({
      {{}, {}},
      {{"list", "--sort"}, {"list", "--sort"}},
      {{"list", "--sort", "cpu"}, {"list", "--sort=cpu"}},
      {{"list", "-n", "--sort", "weigth", "--wide"}, {"list", "-n", "--sort=weigth", "--wide"}},
      {{"list", "--sort=cpu", "tcp:10.9.9.9:80"}, {"list", "--sort=cpu", "tcp:10.9.9.9:80"}},
      {{"list", "--sort", "tcp:10.9.9.9:80"}, {"list", "--sort", "tcp:10.9.9.9:80"}},
      {{"list", "--sort", "-t", "10.9.9.9:80"}, {"list", "--sort", "-t", "10.9.9.9:80"}},
      {{"status", "--sort", "cpu"}, {"status", "--sort", "cpu"}},
  }));
  CHECK(with_sort_key(given) == expected);
}

TEST_CASE("arguments: what no command expects does not look like an answer") {
  CHECK(broken_status({"list"}) == 1);
  CHECK(broken_status({}) == 1);
  CHECK(broken_status({"diff", "x"}) == 2);
  CHECK(broken_status({"check"}) == 3);
}

TEST_CASE("arguments: help stands behind what it is about") {
  const auto [given, expected] = GENERATE(table<Words, Words>({
      {{}, {}},
      {{"help"}, {"--help"}},
      {{"help", "pin"}, {"pin", "--help"}},
      {{"help", "state", "export"}, {"state", "export", "--help"}},
      {{"help", "--help"}, {"help", "--help"}},
      {{"pin", "help"}, {"pin", "help"}},
  }));
  CHECK(with_help_last(given) == expected);
}

TEST_CASE("arguments: an unknown command is named with the nearest known one") {
  const Words commands{"list", "status", "explain"};
  CHECK(unknown_command_text({"lsit"}, commands) ==
        "unknown command \"lsit\"; did you mean \"list\"?");
  CHECK(unknown_command_text({"frobnicate"}, commands) ==
        "unknown command \"frobnicate\"; commands: list, status, explain");
  CHECK(unknown_command_text({"list"}, commands).empty());
  CHECK(unknown_command_text({"--help"}, commands).empty());
  CHECK(unknown_command_text({}, commands).empty());
}

TEST_CASE("arguments: commands of ipvsadm that change the table are ipvsadm's") {
  const auto change = GENERATE(as<std::string>{}, "-A", "-e", "-D", "-C", "-Z", "-at");
  CHECK(table_change_text({change, "10.9.9.9:80"}).find("ipvsadm " + change) != std::string::npos);
  const auto other = GENERATE(as<std::string>{}, "-Ln", "-h", "-", "", "status", "--add");
  CHECK(table_change_text({other}).empty());
  CHECK(table_change_text({}).empty());
}

TEST_CASE("arguments: what names no service is refused") {
  const auto arguments =
      GENERATE(ServiceArguments{.tcp = "10.9.9.9:99999"}, ServiceArguments{.tcp = "fd00::9:80"},
               ServiceArguments{.udp = "name:53"}, ServiceArguments{.fwmark = "0"},
               ServiceArguments{.fwmark = "x", .ipv6 = true},
               ServiceArguments{.name = "10.9.9.9:80"}, ServiceArguments{.name = "pool:a/b"});
  const auto service = service_from_arguments(arguments);
  REQUIRE_FALSE(service.has_value());
  CHECK(service.error().find("is no service: -t VIP:PORT") != std::string::npos);
}

TEST_CASE("arguments: two services at once are refused") {
  CHECK(service_from_arguments({.tcp = "10.9.9.9:80", .fwmark = "7"}).error() ==
        "name one service only");
}

TEST_CASE("arguments: services may be named as ipvsadm does or in one word") {
  const auto [arguments, expected] = GENERATE(table<ServiceArguments, std::string>({
      {{.tcp = "10.9.9.9:80"}, "tcp:10.9.9.9:80"},
      {{.tcp = "10.9.9.9"}, "tcp:10.9.9.9:0"},
      {{.udp = "[fd00::9]:53"}, "udp:[fd00::9]:53"},
      {{.sctp = "10.9.9.9:5060"}, "sctp:10.9.9.9:5060"},
      {{.fwmark = "7"}, "fwm:7"},
      {{.fwmark = "7", .ipv6 = true}, "fwm6:7"},
      {{.name = "udp:10.9.9.9:53"}, "udp:10.9.9.9:53"},
      {{.name = "tcp 10.9.9.9:80"}, "tcp:10.9.9.9:80"},
      {{.name = "pool:web"}, "pool:web"},
      {{.name = "pool web"}, "pool:web"},
  }));
  const auto service = service_from_arguments(arguments);
  REQUIRE(service.has_value());
  CHECK(*service == service_key(expected));
  CHECK(service_from_arguments({}).value() == std::nullopt);
}

TEST_CASE("endpoint: malformed ones are refused") {
  const auto text = GENERATE(as<std::string>{}, "", ":80", "host:", "host:0", "host:65536",
                             "host:8o", "[fd00::1", "[fd00::1]80", "[]:80", "[fd00::1]:");
  CHECK_FALSE(endpoint_from_text(text, 6353));
}

TEST_CASE("endpoint: host and port with IPv6 in brackets or bare") {
  const auto [text, host, port, back] =
      GENERATE(table<std::string, std::string, std::uint16_t, std::string>({
          {"web1", "web1", 6353, "web1:6353"},
          {"10.0.0.11:99", "10.0.0.11", 99, "10.0.0.11:99"},
          {"[fd00::1]:99", "fd00::1", 99, "[fd00::1]:99"},
          {"[fd00::1]", "fd00::1", 6353, "[fd00::1]:6353"},
          {"fd00::1", "fd00::1", 6353, "[fd00::1]:6353"},
      }));
  const auto endpoint = endpoint_from_text(text, 6353);
  REQUIRE(endpoint);
  CHECK(*endpoint == Endpoint{host, port});
  CHECK(string_from_endpoint(*endpoint) == back);
}
