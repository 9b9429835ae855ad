// etc/monitord.schema.json, which editors read, against the parser: the same keys, and the same
// defaults. What values it takes is compared by tests/config_schema.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>
#include <vector>

#include "config_support.hpp"
#include "monitord/config_settings.hpp"
#include "monitord/config_yaml.hpp"
#include "strictyaml/number.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::strictyaml::Document;
using lvs::strictyaml::Node;

namespace {

namespace json = boost::json;
using Keys = std::set<std::string>;

const json::object& schema() {
  static const json::value value =
      json::parse(text_of_file(LVS_SOURCE_DIR "/etc/monitord.schema.json"));
  return value.as_object();
}

/// Follows a reference, "#/definitions/server"; there is one depth of them.
const json::object& followed(const json::object& part) {
  const auto* const reference = part.if_contains("$ref");
  if (reference == nullptr) return part;
  const std::string path(reference->as_string());
  const json::object* at = &schema();
  for (std::size_t begin = 2, end = 0; end != std::string::npos; begin = end + 1) {
    end = path.find('/', begin);
    at = &at->at(path.substr(begin, end - begin)).as_object();
  }
  return *at;
}

Keys keys_of(const json::object& part) {
  Keys keys;
  for (const auto& member : part.at("properties").as_object())
    keys.emplace(member.key());
  return keys;
}

/// Every map of monitord.yaml, so that the parser asks for its keys.
const std::string policy_maps_text =
    "weights: {}, composite: {}, guards: {}, probe: {}, capacity: {}, headroom: {}, "
    "feedback: {just_right: {}, coefficients: {}}, response: {coefficients: {}}, "
    "linear: {coefficients: {}}";
const std::string every_map =
    "agent: {}\ncontrol: {}\nstate: {}\nlog: {}\nrecord: {}\nhttp: {}\noutputs: {haproxy: {}, "
    "nginx: {}, dns: {}}\n"
    "defaults: {" +
    policy_maps_text +
    "}\n"
    "servers: {10.0.0.11: {}}\n"
    "services: [{service: \"fwm:7\", " +
    policy_maps_text +
    ", servers: [{destination: \"10.0.0.11:0\", base: 1}]}]\n"
    "pools: [{pool: a, output: haproxy, stats: /s, " +
    policy_maps_text + ", servers: [{name: s, destination: \"10.0.0.11:0\", base: 1}]}]\n";

void compare(const Node& node, const json::object& part);

void compare_value(const Node& node, const json::object& part) {
  if (part.contains("properties")) {
    INFO(node.path());
    REQUIRE(node.is_map());  // else the text above has forgotten it
    compare(node, part);
  } else if (node.is_sequence()) {
    compare_value(node.items().at(0), followed(part.at("items").as_object()));
  } else if (node.is_map()) {
    compare_value(node.entries().at(0).second,
                  followed(part.at("additionalProperties").as_object()));
  }
}

/// Keys, at whatever depth. A list of words has none.
bool holds_maps(const json::object& value) {
  if (value.contains("properties") || value.contains("additionalProperties")) return true;
  const auto* const items = value.if_contains("items");
  return items != nullptr && items->is_object() &&
         followed(items->as_object()).contains("properties");
}

void compare(const Node& node, const json::object& part) {
  INFO("in " << node.path());
  const auto asked = node.known_keys();
  CHECK(keys_of(part) == Keys(asked.begin(), asked.end()));
  CHECK(part.at("additionalProperties") == json::value(false));
  for (const auto& member : part.at("properties").as_object()) {
    const auto& value = followed(member.value().as_object());
    if (holds_maps(value)) {
      compare_value(node[std::string(member.key())], value);
    } else {
      INFO(member.key());
      CHECK(value.contains("description"));
    }
  }
}

/// The schema of "weights.min" within a part.
const json::object& schema_at(const json::object& part, std::string key) {
  const json::object* at = &part;
  while (true) {
    const auto dot = key.find('.');
    at = &followed(at->at("properties").at(key.substr(0, dot)).as_object());
    if (dot == std::string::npos) return *at;
    key.erase(0, dot + 1);
  }
}

std::string text_of_default(const json::value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_array()) {
    const auto& words = value.as_array();
    return words.empty() ? "" : std::string(words.front().as_string());
  }
  if (value.is_double()) return lvs::strictyaml::string_from_number(value.as_double());
  return json::serialize(value);
}

void compare_defaults(const std::vector<Setting>& settings, const json::object& part) {
  for (const Setting& setting : settings) {
    INFO(setting.key);
    const auto* const named = schema_at(part, setting.key).if_contains("default");
    // Where none is the default there is nothing to name.
    const bool none = setting.form != Setting::Form::list && setting.values.empty();
    if (none || setting.key == "probe.type") {
      CHECK(named == nullptr);
    } else {
      REQUIRE(named != nullptr);
      CHECK(text_of_default(*named) == (setting.values.empty() ? "" : setting.values.front()));
    }
  }
}

}  // namespace

TEST_CASE("config schema: it has the keys of the parser and no others") {
  const Document document{every_map, "every map"};
  (void)config_from_node(document.root());
  INFO(lvs::strictyaml::string_from_problems(document.problems()));
  REQUIRE_FALSE(document.has_errors());
  compare(document.root(), schema());
}

TEST_CASE("config schema: it has the defaults of the program") {
  compare_defaults(settings_from_config({}), schema());
  compare_defaults(settings_from_policy({}), schema().at("properties").at("defaults").as_object());
}

TEST_CASE("config schema: a service has the keys of defaults and inherits their values") {
  auto keys = keys_of(schema().at("definitions").at("service").as_object());
  for (const auto* const own : {"service", "servers", "output", "folder"})
    CHECK(keys.erase(own) == 1);
  CHECK(keys == keys_of(schema().at("properties").at("defaults").as_object()));
  keys = keys_of(schema().at("definitions").at("pool").as_object());
  for (const auto* const own :
       {"pool", "servers", "output", "balance", "backend", "stats", "file", "host", "choice"})
    CHECK(keys.erase(own) == 1);
  CHECK(keys == keys_of(schema().at("properties").at("defaults").as_object()));
  CHECK(json::serialize(schema().at("definitions")).find("\"default\":") == std::string::npos);
}

TEST_CASE("config schema: the shipped configuration names it for editors") {
  CHECK(text_of_file(LVS_SOURCE_DIR "/etc/monitord.yaml")
            .starts_with(
                "# yaml-language-server: $schema=/usr/share/monitord/monitord.schema.json\n"));
}
