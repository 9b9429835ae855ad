#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "realserver-agent/config/config_yaml.hpp"
#include "realserver-agent/config/keys_yaml.hpp"
#include "realserver-agent/config/prefix.hpp"
#include "strictyaml/document.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;
using namespace std::chrono_literals;
using lvs::ipvs::ip_address_from_string;

namespace {

constexpr auto error = lvs::strictyaml::Problem::Severity::error;

std::size_t errors_in(const std::vector<lvs::strictyaml::Problem>& problems) {
  return static_cast<std::size_t>(
      std::ranges::count(problems, error, [](const auto& problem) { return problem.severity; }));
}

lvs::ipvs::IpAddress address(const char* text) {
  return ip_address_from_string(text).value();
}

const std::string hex_key(64, 'a');

}  // namespace

TEST_CASE("agent config: what is wrong is said with its line") {
  struct Case {
    std::string text;
    std::size_t line;
    std::string message;
  };
  const auto [text, line, message] = GENERATE(values<Case>({
      {"- a list\n", 1, ""},
      {"port: 6353\nprt: 1\n", 2, "unknown key \"prt\""},
      {"port: 6353\nport: 6354\n", 2, ""},
      {"port: 0\n", 1, "port"},
      {"port: 65536\n", 1, "port"},
      {"line_rate_mbit: 0\n", 1, "line_rate_mbit"},
      {"line_rate_mbit: 10G\n", 1, "line_rate_mbit"},
      {"listen: 10.0.0.1\n", 1, "listen"},
      {"listen: []\n", 1, "listen is empty"},
      {"listen:\n  - 10.0.0.1\n  - web1\n", 3, "listen[1]"},
      {"listen: [10.0.0.1, 10.0.0.1]\n", 1, "twice"},
      {"listen: [10.0.0.1:80]\n", 1, "no IP address"},
      {"listen: [\"fe80::1%eth0\"]\n", 1, "no IP address"},
      {"name: \"two words\"\n", 1, "no name"},
      {"name: \"\"\n", 1, "no name"},
      {"security: maybe\n", 1, "security"},
      {"\nsecurity: none\n", 2, "needs an allow list"},
      {"security: none\nallow: []\n", 1, "needs an allow list"},
      {"allow: [10.0.0.0/33]\n", 1, "allow[0]"},
      {"allow: [\"fd00::/129\"]\n", 1, "allow[0]"},
      {"allow: [director]\n", 1, "allow[0]"},
      {"keys: keys.yaml\n", 1, "no absolute path"},
      {"keys: \"\"\n", 1, "no absolute path"},
      {"drain_file: drain\n", 1, "no absolute path"},
      {"sample_interval: 1\n", 1, "sample_interval"},
      {"sample_interval: 10ms\n", 1, "sample_interval"},
      {"sample_interval: 6s\n", 1, "sample_interval"},
      {"rate_limit: 0\n", 1, "rate_limit"},
  }));
  CAPTURE(text);
  const auto checked = config_from_yaml(text, "agent.yaml");
  REQUIRE_FALSE(checked.has_value());
  const auto& problems = checked.error();
  const auto found =
      std::ranges::find(problems, error, [](const auto& problem) { return problem.severity; });
  REQUIRE(found != problems.end());
  CHECK(found->line == line);
  CHECK(found->message.find(message) != std::string::npos);
}

TEST_CASE("agent config: all problems are said at once") {
  const auto checked = config_from_yaml("port: 0\nkyes: a\nallow: [x]\n", "agent.yaml");
  REQUIRE_FALSE(checked.has_value());
  CHECK(errors_in(checked.error()) == 3);
}

TEST_CASE("agent config: an empty file gives the defaults") {
  const auto checked = config_from_yaml("", "agent.yaml");
  REQUIRE(checked.has_value());
  CHECK(checked->warnings.empty());
  Config expected{};
  expected.listen = {address("0.0.0.0"), address("::")};
  CHECK(checked->config == expected);
  CHECK(expected.port == 6353);
}

TEST_CASE("agent config: every key is taken") {
  const auto checked = config_from_yaml(
      "listen: [10.0.0.11, \"fd00::11\"]\nport: 7000\nname: web1\nsecurity: none\n"
      "keys: /k\nallow: [10.0.0.1, \"fd00::/64\"]\nsample_interval: 500ms\nrate_limit: 5\n"
      "drain_file: \"\"\nline_rate_mbit: 10000\n",
      "agent.yaml");
  REQUIRE(checked.has_value());
  CHECK(checked->warnings.size() == 1);
  CHECK(checked->config == Config{.listen = {address("10.0.0.11"), address("fd00::11")},
                                  .port = 7000,
                                  .name = "web1",
                                  .security = Security::none,
                                  .keys_file = "/k",
                                  .allow = {{address("10.0.0.1"), 32}, {address("fd00::"), 64}},
                                  .sample_interval = 500ms,
                                  .rate_limit = 5,
                                  .drain_file = "",
                                  .line_rate_mbit = 10000});
}

TEST_CASE("agent config: the shipped file is valid and says what the defaults are") {
  std::ostringstream text;
  text << std::ifstream{LVS_SOURCE_DIR "/etc/realserver-agent.yaml"}.rdbuf();
  REQUIRE_FALSE(text.str().empty());
  const auto shipped = config_from_yaml(text.str(), "realserver-agent.yaml");
  REQUIRE(shipped.has_value());
  CHECK(shipped->warnings.empty());
  CHECK(shipped->config == config_from_yaml("", "")->config);
}

TEST_CASE("agent config: what the shipped file has in comments is valid too") {
  std::ifstream file{LVS_SOURCE_DIR "/etc/realserver-agent.yaml"};
  std::size_t examples = 0;
  for (std::string line; std::getline(file, line);) {
    const auto end = line.find(": ");
    // A key behind the hash, not a sentence.
    if (!line.starts_with("# ") || end == std::string::npos) continue;
    if (line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 2) != end) continue;
    if (line.starts_with("# none: ") || line.starts_with("# keys: requests")) continue;
    CAPTURE(line);
    CHECK(config_from_yaml(line.substr(2) + "\n", "example").has_value());
    ++examples;
  }
  CHECK(examples >= 8);
}

TEST_CASE("agent keys: what is wrong is said and never shown") {
  const std::string secret = "5e15753cdc103cdcefa5aaa81a9f877d";
  const auto text = GENERATE_COPY(values<std::string>({
      "",
      "keys\n",
      "keyz: []\n",
      "keys: {id: 1}\n",
      "keys:\n  - id: 1\n",
      "keys:\n  - key: " + secret + "\n",
      "keys:\n  - {id: 1, key: " + secret + "}\n",
      "keys:\n  - {id: 0, key: " + hex_key + "}\n",
      "keys:\n  - {id: 4294967296, key: " + hex_key + "}\n",
      "keys:\n  - {id: 1, key: " + hex_key + ", more: 1}\n",
      "keys:\n  - {id: 1, master: " + hex_key + "}\n",
      "keys:\n  - {id: 1, key: " + hex_key + "}\n  - {id: 1, key: " + hex_key + "}\n",
      "keys:\n  - {id: 1, key: \"" + std::string(64, '0') + "\"}\n",
      "keys: [\n" + secret,
  }));
  CAPTURE(text);
  const auto keys = keys_from_yaml(text, "keys.yaml");
  REQUIRE_FALSE(keys.has_value());
  const std::string shown = lvs::strictyaml::string_from_problems(keys.error());
  CHECK(shown.find(secret) == std::string::npos);
  CHECK(shown.find(hex_key) == std::string::npos);
}

TEST_CASE("agent keys: none or one or two keys") {
  CHECK(keys_from_yaml("keys: []\n", "").value().empty());
  const auto keys = keys_from_yaml("keys:\n  - id: 7\n    key: " + hex_key +
                                       "\n  - {id: 8, key: " + std::string(64, 'B') + "}\n",
                                   "");
  REQUIRE(keys.has_value());
  REQUIRE(keys->size() == 2);
  CHECK((*keys)[0].id == 7);
  CHECK((*keys)[0].key[31] == 0xAA);
  CHECK((*keys)[1].key[0] == 0xBB);
}

TEST_CASE("prefix: what is none is refused") {
  const auto text = GENERATE(
      values<std::string>({"", "/", "/8", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/-1", "10.0.0.0/33",
                           "10.0.0/8", "fd00::/129", "10.0.0.0/8/8", "web1"}));
  CAPTURE(text);
  CHECK_FALSE(prefix_from_string(text));
}

TEST_CASE("prefix: holds exactly the addresses that share its bits") {
  const auto [prefix, inside, outside] = GENERATE(table<const char*, const char*, const char*>({
      {"10.0.0.1", "10.0.0.1", "10.0.0.2"},
      {"10.0.0.0/8", "10.255.0.1", "11.0.0.0"},
      {"10.0.0.77/24", "10.0.0.1", "10.0.1.77"},
      {"10.0.0.128/25", "10.0.0.200", "10.0.0.127"},
      {"0.0.0.0/0", "255.255.255.255", "::"},
      {"fd00::/64", "fd00::1", "fd00:0:0:1::1"},
      {"fd00::8000/113", "fd00::ffff", "fd00::7fff"},
      {"::/0", "fd00::1", "10.0.0.1"},
  }));
  CAPTURE(prefix);
  CHECK(contains(prefix_from_string(prefix).value(), address(inside)));
  CHECK_FALSE(contains(prefix_from_string(prefix).value(), address(outside)));
}
