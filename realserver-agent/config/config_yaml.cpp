#include "realserver-agent/config/config_yaml.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agentproto/key.hpp"

namespace lvs::agent {

using strictyaml::Document;
using strictyaml::Node;
using namespace std::chrono_literals;

namespace {

constexpr auto no_zone =
    "addresses with a zone (%) cannot be used: write a global or unique local one, like "
    "2001:db8::11 "
    "or fd00::11";
/// The unit's watchdog (WatchdogSec=10s) is fed by the samples.
constexpr std::chrono::nanoseconds max_sample_interval = 5s;

std::string hint_for_listen(const std::string& text) {
  if (text.find('%') != std::string::npos) return no_zone;
  if (text.starts_with('[') && text.ends_with(']')) return "write it without brackets";
  return "the port is a key of its own: port: 6353";
}

std::vector<ipvs::IpAddress> listen_from_node(const Node& node) {
  const ipvs::IpAddress any4{.family = ipvs::Family::inet};
  const ipvs::IpAddress any6{.family = ipvs::Family::inet6};
  if (!node.exists()) return {any4, any6};

  std::vector<ipvs::IpAddress> addresses;
  for (const Node& item : node.items()) {
    const auto text = item.as_string();
    if (!text) continue;
    const auto address = ipvs::ip_address_from_string(*text);
    if (!address) {
      item.refuse_value("is no IP address", hint_for_listen(*text));
    } else if (std::ranges::find(addresses, *address) != addresses.end()) {
      item.refuse_value("is listed twice");
    } else {
      addresses.push_back(*address);
    }
  }
  if (node.is_sequence() && node.items().empty()) {
    node.error("listen is empty: nobody could ask", "leave it out to listen on all addresses");
  }
  return addresses;
}

std::vector<Prefix> allow_from_node(const Node& node) {
  std::vector<Prefix> prefixes;
  if (!node.exists()) return prefixes;
  for (const Node& item : node.items()) {
    const auto text = item.as_string();
    if (!text) continue;
    if (const auto prefix = prefix_from_string(*text)) {
      prefixes.push_back(*prefix);
    } else {
      item.refuse_value("is neither an address nor a prefix",
                        text->find('%') == std::string::npos ? "for example 10.0.0.0/24" : no_zone);
    }
  }
  return prefixes;
}

std::optional<std::string> name_from_node(const Node& node) {
  auto name = node.as_string();
  if (!name) return std::nullopt;
  if (!agentproto::is_agent_name(*name)) {
    node.refuse_value("is no name", std::string{agentproto::agent_name_rule});
  }
  return name;
}

/// An absolute path. Empty turns the file off where that makes sense.
void set_path(const Node& node, bool may_be_empty, std::string& path) {
  const auto text = node.as_string();
  if (!text) return;
  if (text->empty() ? !may_be_empty : !text->starts_with('/')) {
    node.refuse_value("is no absolute path");
  }
  path = *text;
}

void set_security(const Node& node, Security& security) {
  const auto index = node.as_one_of({"keys", "none"});
  if (index) security = *index == 0 ? Security::keys : Security::none;
}

void set_word(const Node& node, const std::vector<std::string>& words, std::string& target) {
  if (const auto index = node.as_one_of(words)) target = words[*index];
}

void set_log(const Node& node, Config& config) {
  if (!node.exists()) return;
  set_word(node["level"], {"debug", "info", "warning", "error"}, config.log_level);
  set_word(node["format"], {"text", "json"}, config.log_format);
  node.reject_unknown_keys();
}

void check_security(const Node& root, const Config& config) {
  if (config.security == Security::keys) return;
  const Node node = root["security"];
  if (config.allow.empty()) {
    node.error("security: none needs an allow list",
               "without keys only addresses tell the directors from others: allow: [10.0.0.1]");
  } else {
    node.warn("security: readings are not authenticated",
              "whoever can send from an allowed address can read this server's load");
  }
}

Config config_from_node(const Node& root) {
  Config config{};
  config.listen = listen_from_node(root["listen"]);
  if (const auto port = root["port"].as_integer(1, 65535)) {
    config.port = static_cast<std::uint16_t>(*port);
  }
  config.name = name_from_node(root["name"]);
  set_security(root["security"], config.security);
  set_path(root["keys"], false, config.keys_file);
  config.allow = allow_from_node(root["allow"]);
  const auto interval = root["sample_interval"].as_duration_ns(
      std::chrono::nanoseconds{100ms}.count(), max_sample_interval.count());
  if (interval) config.sample_interval = std::chrono::nanoseconds{*interval};
  if (const auto rate = root["rate_limit"].as_integer(1, 100000)) {
    config.rate_limit = static_cast<unsigned>(*rate);
  }
  set_path(root["drain_file"], true, config.drain_file);
  if (const auto rate = root["line_rate_mbit"].as_integer(1, 10'000'000)) {
    config.line_rate_mbit = static_cast<std::uint64_t>(*rate);
  }
  set_log(root["log"], config);
  check_security(root, config);
  root.reject_unknown_keys();
  return config;
}

}  // namespace

tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_yaml(std::string text,
                                                                               std::string file) {
  const Document document{std::move(text), std::move(file)};
  Config config = config_from_node(document.root());
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return CheckedConfig{std::move(config), document.problems()};
}

}  // namespace lvs::agent
