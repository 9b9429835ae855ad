#include "monitord/config_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/config_settings.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "monitord/yaml_text.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

constexpr std::size_t comment_column = 44;
constexpr std::size_t step = 2;

/// "a.b.c" -> a, b, c. No key of ours has a dot in it.
std::vector<std::string> parts_of(std::string_view key) {
  std::vector<std::string> parts;
  while (true) {
    const auto dot = key.find('.');
    parts.emplace_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

Node node_at(Node node, std::string_view key) {
  for (const auto& part : parts_of(key))
    node = node[part];
  return node;
}

std::string origin_of(const Node& node) {
  return node.exists() ? fmt::format("{}:{}", node.file(), node.line()) : "default";
}

std::string value_of(const Setting& setting) {
  if (setting.form == Setting::Form::plain) return setting.values.at(0);
  if (setting.form == Setting::Form::text) return yaml_from_text(setting.values.at(0));
  std::string list;
  for (const auto& value : setting.values)
    list.append(list.empty() ? "" : ", ").append(yaml_from_text(value));
  return "[" + list + "]";
}

bool is_set(const Setting& setting) {
  return setting.form == Setting::Form::list || !setting.values.empty();
}

class Writer {
 public:
  void plain(const std::string& line) { text_.append(line).append("\n"); }

  /// A line and its origin. Control characters in a file's name must not end the comment.
  void value(const std::string& line, const std::string& origin) {
    text_ += line;
    text_.append(line.size() + step < comment_column ? comment_column - line.size() : step, ' ');
    text_.append("# ");
    for (const char c : origin)
      text_ += static_cast<unsigned char>(c) < 0x20 || c == '\x7f' ? '?' : c;
    text_ += '\n';
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_{};
};

/// Settings one below the other, those of one map under its key.
class Section {
 public:
  Section(Writer& out, std::size_t indent) : out_(out), indent_(indent) {}

  void add(const Setting& setting, const std::string& origin) {
    auto parts = parts_of(setting.key);
    const std::string name = parts.back();
    parts.pop_back();
    const auto same = std::ranges::mismatch(open_, parts).in1 - open_.begin();
    for (auto depth = static_cast<std::size_t>(same); depth < parts.size(); ++depth)
      out_.plain(margin(depth) + parts[depth] + ":");
    out_.value(margin(parts.size()) + name + ": " + value_of(setting), origin);
    open_ = std::move(parts);
  }

 private:
  [[nodiscard]] std::string margin(std::size_t depth) const {
    return std::string(indent_ + depth * step, ' ');
  }

  Writer& out_;
  std::size_t indent_;
  std::vector<std::string> open_{};  ///< keys of the maps around the last setting
};

/// Of `record:` without a file the rest says nothing, and whoever reads it is warned. Likewise of
/// the DNS without a zone.
bool is_idle(const Setting& setting, const Config& config, const Node& root) {
  if (setting.key.starts_with("outputs.dns."))
    return config.outputs.dns.zone.empty() && !root["outputs"]["dns"].exists();
  return setting.key.starts_with("record.") && config.record.file.empty() &&
         !root["record"].exists();
}

void write_head(Writer& out, const Config& config, const Node& root, const OtherOrigins& others) {
  Section section(out, 0);
  for (const auto& setting : settings_from_config(config)) {
    if (!is_set(setting) || is_idle(setting, config, root)) continue;
    const auto other = others.find(setting.key);
    section.add(setting,
                other == others.end() ? origin_of(node_at(root, setting.key)) : other->second);
  }
}

void write_defaults(Writer& out, const Config& config, const Node& root) {
  out.plain("defaults:");
  Section section(out, step);
  for (const auto& setting : settings_from_policy(config.defaults)) {
    if (is_set(setting)) section.add(setting, origin_of(node_at(root["defaults"], setting.key)));
  }
}

void write_servers(Writer& out, const Config& config, const Node& root) {
  if (config.servers.empty()) return;
  out.plain("servers:");
  for (const auto& [key, node] : root["servers"].entries()) {
    const auto address = address_from_node(key);
    const auto server = address ? config.servers.find(*address) : config.servers.end();
    if (server == config.servers.end()) continue;
    const auto settings = settings_from_server(server->second);
    const std::string name =
        std::string(step, ' ') + yaml_from_text(ipvs::string_from_ip_address(*address)) + ":";
    const bool bare = std::ranges::none_of(settings, is_set);
    out.value(name + (bare ? " {}" : ""), origin_of(key));
    Section section(out, 2 * step);
    for (const auto& setting : settings) {
      if (is_set(setting)) section.add(setting, origin_of(node_at(node, setting.key)));
    }
  }
}

using Names = std::map<ipvs::DestinationKey, std::string>;

/// A pool's servers have names as well.
void write_bases(Writer& out, const ServiceConfig& service, const Node& node,
                 const Names& names = {}) {
  if (service.bases.empty()) return;
  out.plain(std::string(2 * step, ' ') + "servers:");
  for (const Node& item : node["servers"].items()) {
    const auto destination = destination_from_node(item["destination"], service.key);
    const auto base = destination ? service.bases.find(*destination) : service.bases.end();
    if (base == service.bases.end()) continue;
    out.value(fmt::format("{:{}}- destination: {}", "", 3 * step,
                          yaml_from_text(ipvs::string_from_destination_key(*destination))),
              origin_of(item["destination"]));
    out.value(fmt::format("{:{}}base: {}", "", 4 * step, base->second), origin_of(item["base"]));
    const auto name = names.find(*destination);
    if (name == names.end() || !item["name"].exists()) continue;
    out.value(fmt::format("{:{}}name: {}", "", 4 * step, yaml_from_text(name->second)),
              origin_of(item["name"]));
  }
}

/// What the entry says itself, and what it has from its output; the rest is in defaults.
void write_policy(Section& section, const Policy& policy, const Node& node,
                  const std::set<std::string>& of_output = {}) {
  for (const auto& setting : settings_from_policy(policy)) {
    // "probe: {}" turns a probe on and sets nothing.
    const bool own = node_at(node, setting.key).exists() || of_output.contains(setting.key) ||
                     (setting.key == "probe.type" && node["probe"].exists());
    if (own && is_set(setting)) section.add(setting, origin_of(node_at(node, setting.key)));
  }
}

void write_service(Writer& out, const ServiceConfig& service, const Node& node) {
  out.value(fmt::format("{:{}}- service: {}", "", step,
                        yaml_from_text(yaml_from_service_key(service.key))),
            origin_of(node["service"]));
  Section section(out, 2 * step);
  for (const auto& setting : settings_from_output(service)) {
    const Node own = node_at(node, setting.key);
    if (own.exists() && is_set(setting)) section.add(setting, origin_of(own));
  }
  write_policy(section, service.policy, node);
  write_bases(out, service, node);
}

/// What a pool has instead of what defaults say.
std::set<std::string> keys_of_output(const Policy& pool, const Policy& defaults) {
  std::set<std::string> keys;
  if (pool.boundary != defaults.boundary) keys.insert("boundary");
  if (pool.min_write_interval != defaults.min_write_interval) keys.insert("min_write_interval");
  if (pool.standby != defaults.standby) keys.insert("standby");
  return keys;
}

void write_pools(Writer& out, const Config& config, const Node& root) {
  if (config.pools.empty()) return;
  out.plain("pools:");
  auto pool = config.pools.begin();
  for (const Node& node : root["pools"].items()) {
    out.value(fmt::format("{:{}}- pool: {}", "", step,
                          yaml_from_text(std::string(pool->service.key.pool.text()))),
              origin_of(node["pool"]));
    Section section(out, 2 * step);
    for (const auto& setting : settings_from_pool(*pool)) {
      if (is_set(setting)) section.add(setting, origin_of(node_at(node, setting.key)));
    }
    const auto& policy = pool->service.policy;
    write_policy(section, policy, node, keys_of_output(policy, config.defaults));
    write_bases(out, pool->service, node, pool->names);
    ++pool;
  }
}

void write_services(Writer& out, const Config& config, const Node& root) {
  if (!config.services) {
    out.plain("# No services: every service whose scheduler uses weights is managed.");
  } else if (config.services->empty()) {
    out.value("services: []", origin_of(root["services"]));
  } else {
    out.plain("# What a service does not set itself is as in defaults.");
    out.plain("services:");
    auto service = config.services->begin();
    for (const Node& node : root["services"].items())
      write_service(out, *service++, node);
  }
}

}  // namespace

std::string yaml_from_config(const Config& config, const Node& root, const OtherOrigins& others) {
  Writer out;
  write_head(out, config, root, others);
  write_defaults(out, config, root);
  write_servers(out, config, root);
  write_services(out, config, root);
  write_pools(out, config, root);
  return out.take();
}

}  // namespace lvs::monitord
