// The configuration in effect, written down again.

#include "monitord/config_text.hpp"

#include <rapidcheck.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config_support.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/policy_numbers.hpp"
#include "monitord/yaml_text.hpp"
#include "strictyaml/number.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;

namespace {

using Files = std::vector<strictyaml::TextFile>;

std::string shown(Files files, const OtherOrigins& others = {}) {
  const auto document = document_from_files(std::move(files));
  const Config config = config_from_node(document.root());
  if (document.has_errors()) FAIL(strictyaml::string_from_problems(document.problems()));
  return yaml_from_config(config, document.root(), others);
}

Config config_of(Files files) {
  auto checked = config_from_files(std::move(files));
  if (!checked) FAIL(strictyaml::string_from_problems(checked.error()));
  return std::move(checked->config);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The line that sets a key.
std::string line_of(const std::string& text, const std::string& key) {
  const auto at = text.find("\n" + key);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("config text: a site with parts as it is in the golden file") {
  const std::string site = LVS_SOURCE_DIR "/tests/golden/config_show/";
  Files files;
  for (const std::string name : {"monitord.yaml", "conf.d/10-web.yaml", "conf.d/20-mail.yaml"})
    files.push_back({name, text_of_file(site + name)});
  CHECK(shown(files) == text_of_file(site + "shown.txt"));
  CHECK(config_of({{"shown", shown(files)}}) == config_of(files));
}

TEST_CASE("config text: whatever is valid is the same once it is shown") {
  std::size_t valid = 0;
  for (const auto& file : yaml_files("tests/golden/config")) {
    if (!expected_text(file).starts_with("valid\n")) continue;
    INFO(file);
    ++valid;
    const auto text = shown({{"f", text_of_file(file)}});
    CHECK(config_of({{"shown", text}}) == config_of({{"f", text_of_file(file)}}));
    // Nothing that was not warned of before.
    CHECK(config_from_yaml(text, "shown")->warnings.size() ==
          config_from_yaml(text_of_file(file), "f")->warnings.size());
  }
  CHECK(valid >= 5);
}

TEST_CASE("config text: no file at all gives the defaults") {
  const auto text = shown({{"f", ""}});
  CHECK(config_of({{"shown", text}}) == Config{});
  CHECK_FALSE(holds(text, "# f:"));
  CHECK(holds(line_of(text, "interval:"), "# default"));
}

TEST_CASE("config text: a value says where it comes from") {
  const auto text =
      shown({{"main", "# first\ninterval: 4s\nlog: {level: debug}\n"}, {"part", "interval: 8s\n"}},
            {{"dry_run", "--dry-run"}});
  CHECK(line_of(text, "interval:").ends_with("# part:1"));
  CHECK(line_of(text, "  level:").ends_with("# main:3"));
  CHECK(line_of(text, "hold_polls:").ends_with("# default"));
  CHECK(holds(text, "dry_run: true"));
  CHECK(text.substr(0, text.find('\n')).ends_with("# --dry-run"));
}

TEST_CASE("config text: a probe that nothing is said of is still one") {
  const auto text = shown({{"f", "services: [{service: fwm:1, probe: {}}]\n"}});
  CHECK(holds(text, "      type: tcp"));
  const Files taken_away{{"f",
                          "defaults: {probe: {type: http, path: /a}}\nservices: [{service: "
                          "fwm:1, probe: {type: none}}]\n"}};
  CHECK(config_of({{"s", shown(taken_away)}}) == config_of(taken_away));
}

TEST_CASE("config text: the name of a file cannot end its comment") {
  const auto text = shown({{"a\ndry_run: false", "interval: 4s\n"}});
  CHECK(config_of({{"shown", text}}).dry_run);
}

TEST_CASE("yaml text: what is a text for every reader stands without quotes") {
  const auto [text, yaml] = GENERATE(table<std::string, std::string>({
      {"web1", "web1"},
      {"/etc/monitord/keys.yaml", "/etc/monitord/keys.yaml"},
      {"lvs1.example.org", "lvs1.example.org"},
      {"", "\"\""},
      {"10.0.0.11:80", "\"10.0.0.11:80\""},
      {"1e5", "\"1e5\""},
      {"yes", "\"yes\""},
      {"Null", "\"Null\""},
      {"a b", "\"a b\""},
      {"a#b", "\"a#b\""},
      {"a\"b\\c", "\"a\\\"b\\\\c\""},
      {"a\nb\x7f", "\"a\\x0ab\\x7f\""},
      {"\xc3\xa4\xc2\x85", "\"\xc3\xa4\\x85\""},
  }));
  CHECK(yaml_from_text(text) == yaml);
}

TEST_CASE("yaml text: whatever UTF-8 it is it is read back") {
  CHECK(rc::check([] {
    std::string text;
    for (const auto code :
         *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0U, 0x800U))) {
      if (code < 0x80) {
        text += static_cast<char>(code);
      } else {
        text += static_cast<char>(0xc0U | (code >> 6U));
        text += static_cast<char>(0x80U | (code & 0x3fU));
      }
    }
    const strictyaml::Document document("k: " + yaml_from_text(text) + "\n", "t");
    RC_ASSERT(document.problems().empty());
    RC_ASSERT(document.root()["k"].as_string() == text);
  }));
}

namespace {

std::string pick(std::vector<std::string> words) {
  return *rc::gen::elementOf(std::move(words));
}

bool maybe() {
  return *rc::gen::inRange(0, 3) == 0;
}

std::string number_in(double min, double max) {
  const double share = *rc::gen::inRange(0, 1000) / 999.0;
  return strictyaml::string_from_number(min + (max - min) * share);
}

/// `key: value` lines of one map, in braces.
std::string in_braces(const std::vector<std::string>& entries) {
  std::string text;
  for (const auto& entry : entries)
    text.append(text.empty() ? "" : ", ").append(entry);
  return "{" + text + "}";
}

/// Numbers that sum up to 1.
std::vector<std::string> shares(const PolicyMap& map) {
  std::vector<int> parts;
  int sum = 0;
  for (std::size_t i = 0; i < map.numbers.size(); ++i) {
    parts.push_back(*rc::gen::inRange(1, 100));
    sum += parts.back();
  }
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    entries.push_back(std::string(map.numbers[i].key) + ": " +
                      strictyaml::string_from_number(static_cast<double>(parts[i]) / sum));
  }
  return entries;
}

/// Pairs that have rules of their own keep their defaults.
bool is_ruled(const PolicyNumber& number) {
  return number.key == "lambda" || number.key == "lambda_short" || number.key == "idle" ||
         number.key == "set_point";
}

std::vector<std::string> random_maps() {
  Policy policy;
  std::map<std::string, std::vector<std::string>> sections;
  for (const PolicyMap& map : policy_maps(policy)) {
    std::vector<std::string> entries;
    if (map.sums_up_to_1) {
      if (maybe()) entries = shares(map);
    } else {
      for (const PolicyNumber& number : map.numbers) {
        if (!is_ruled(number) && maybe())
          entries.push_back(std::string(number.key) + ": " + number_in(number.min, number.max));
      }
    }
    if (entries.empty()) continue;
    auto& section = sections[std::string(map.section)];
    if (map.within.empty()) {
      section.insert(section.end(), entries.begin(), entries.end());
    } else {
      section.push_back(std::string(map.within) + ": " + in_braces(entries));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [name, entries] : sections)
    lines.push_back(name + ": " + in_braces(entries));
  return lines;
}

std::vector<std::string> random_policy() {
  auto lines = random_maps();
  const auto add = [&lines](const std::string& line) {
    if (maybe()) lines.push_back(line);
  };
  add("strategy: " + pick({"capacity", "headroom", "feedback", "response", "linear"}));
  add("boundary: " + pick({"5%", "12.5%", "0", "3", "0.001%"}));
  add("weights: " + pick({"{min: 2}", "{max: 65535}", "{min: 5, max: 50}"}));
  add("min_write_interval: " + pick({"0s", "1.5ms", "90s", "1h"}));
  add("foreign: " + pick({"adopt", "reassert"}));
  add("on_silence: " + pick({"hold", "base", "drain"}));
  add("standby: " + pick({"keep", "steer"}));
  add("agent_drain: " + pick({"true", "false"}));
  add("up_step: " + number_in(0.01, 1));
  add("step_cap: " + number_in(1, 1000));
  add("slow_start: " + pick({"0s", "0.0123s", "7m"}));
  add("idle_cpu: " + number_in(0, 0.5));
  add("composite: " + pick({"{cpu: 0.25, memory: 0.75}", "{cpu: 1, memory: 0}"}));
  add("probe: " + pick({"{}", "{type: none}", "{port: 80, deadline: 20ms}",
                        "{type: http, path: \"/a?b=%20\", host: \"[::1]\", expect: 204}"}));
  return lines;
}

std::string indented(const std::vector<std::string>& lines, const std::string& margin) {
  std::string text;
  for (const auto& line : lines)
    text += margin + line + "\n";
  return text;
}

std::string random_services(int first, int count) {
  std::string text;
  for (int number = first; number < first + count; ++number) {
    text += "  - service: " + pick({"fwm:", "tcp:10.9.9.9:", "udp:[2001:db8::9]:"}) +
            std::to_string(number) + "\n" + indented(random_policy(), "    ");
    if (maybe()) {
      text +=
          "    servers:\n      - {destination: \"10.0.0.11:80\", base: 7}\n"
          "      - {destination: \"[2001:db8::11]:443\", base: 65535}\n";
    }
  }
  return text.empty() ? "" : "services:\n" + text;
}

/// Of a backend of their own each. Their bounds are given, since those of the defaults may be none
/// that HAProxy takes.
std::string random_pools(int first, int count) {
  std::string text;
  for (int number = first; number < first + count; ++number) {
    const std::string output = pick({"haproxy", "nginx", "dns"});
    std::vector<std::string> lines{"strategy: headroom", "weights: {min: 1, max: 256}",
                                   "output: " + output};
    const auto add = [&lines](const std::string& line) {
      if (maybe()) lines.push_back(line);
    };
    if (output != "dns") add("balance: " + pick({"roundrobin", "leastconn", "random"}));
    if (output == "dns") {
      lines.push_back("host: H" + std::to_string(number) + ".a.b");
      add("choice: " + pick({"weighted", "best"}));
    } else if (output == "nginx") {
      lines.push_back("file: \"" + pick({"/run/a", "/a b"}) + std::to_string(number) + "\"");
      add("min_write_interval: 1m");
    } else {
      add("backend: b" + std::to_string(number));
      add("stats: " + pick({"/run/haproxy/admin.sock", "\"/a b\""}));
    }
    add("boundary: " + pick({"5%", "3"}));
    add("probe: " + pick({"{}", "{type: none}"}));
    text += "  - pool: \"" + pick({"a", "9.", "web-"}) + std::to_string(number) + "\"";
    text += "\n" + indented(lines, "    ") +
            "    servers:\n      - {name: " + pick({"s1", "\"7\"", "a:b"}) +
            ", destination: \"10.0.0.11:80\", base: 7}\n";
  }
  return text.empty() ? "" : "pools:\n" + text;
}

std::string random_head() {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& line) {
    if (maybe()) lines.push_back(line);
  };
  add("dry_run: " + pick({"true", "false"}));
  add("interval: " + pick({"1s", "2500ms", "1m", "1.0005s"}));
  add("hold_polls: " + pick({"0", "1000"}));
  add("on_exit: " + pick({"keep", "restore"}));
  add("agent: " + pick({"{port: 1, security: none}", "{deadline: 0.9s, keys: \"/a b\"}"}));
  add("control: {socket: /tmp/s}");
  add("state: {file: \"/tmp/st\\u00e4te\"}");
  add("log: " + pick({"{level: debug}", "{level: error, format: json}"}));
  add("record: " + pick({"{file: /tmp/r, max_size: 65KiB}", "{files: 0}"}));
  add("http: " +
      pick({"{listen: none}", "{listen: \"[::1]:80\", hosts: [a, b.c]}", "{hosts: []}"}));
  // Always with a zone: pools of the DNS need one.
  const std::string dns = "dns: {zone: a.b, nameservers: [n.c]";
  lines.push_back(
      "outputs: {" + dns +
      pick({"}}", "}, haproxy: {}}", "}, haproxy: {listen: \"[::1]:7000\"}}",
            "}, nginx: {test: [/bin/true, -x, \"a b\"]}}", ", contact: c.d, ttl: 1m}}"}));
  add("servers: " +
      pick({"{10.0.0.11: {name: web1}}", "{\"2001:DB8::1\": {base: 3, agent: 10.1.1.1}}",
            "{10.0.0.11: {}, 10.0.0.12: {port: 9, name: \"yes\"}}"}));
  return indented(lines, "");
}

std::string random_defaults() {
  const auto lines = random_policy();
  return lines.empty() ? "" : "defaults:\n" + indented(lines, "  ");
}

}  // namespace

TEST_CASE("config text: any valid configuration is the same once it is shown") {
  CHECK(rc::check([] {
    const std::string main = random_head() + random_defaults() +
                             random_services(1, *rc::gen::inRange(0, 3)) +
                             random_pools(1, *rc::gen::inRange(0, 3));
    const std::string part = random_head() + random_defaults() +
                             random_services(11, *rc::gen::inRange(0, 3)) +
                             random_pools(11, *rc::gen::inRange(0, 3));
    // Two probes of different types in defaults, united, may be none that is valid.
    const Files files{{"main", main}, {"part", part}};
    const auto checked = config_from_files(files);
    RC_PRE(checked.has_value());
    const auto text = shown(files);
    const auto again = config_from_yaml(text, "shown");
    if (!again) RC_FAIL(strictyaml::string_from_problems(again.error()) + text);
    RC_ASSERT(again->config == checked->config);
  }));
}
