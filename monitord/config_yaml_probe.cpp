#include "monitord/config_yaml_probe.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "monitord/config_yaml_fields.hpp"
#include "strictyaml/duration.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitord {

using strictyaml::Node;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t max_path_bytes = 1024;
constexpr std::size_t max_host_bytes = 255;
constexpr unsigned lowest_status = 100;
constexpr unsigned highest_status = 599;

/// What goes into a request as it is: a blank or a line feed would be another request.
bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

void set_http_path(const Node& node, std::string& path) {
  const auto text = node.as_string();
  if (!text) return;
  if (!text->starts_with('/')) {
    node.refuse_value("is no path", "a path begins with \"/\": /health");
  } else if (!is_visible_ascii(*text)) {
    node.refuse_value("holds what no path may hold", "write such characters as %20");
  } else if (text->size() > max_path_bytes) {
    node.refuse_value("is longer than " + std::to_string(max_path_bytes) + " bytes");
  } else {
    path = *text;
  }
}

void set_host(const Node& node, std::string& host) {
  const auto text = node.as_string();
  if (!text) return;
  if (text->empty() || text->size() > max_host_bytes || !is_visible_ascii(*text)) {
    node.refuse_value("is no name of a host", "it is sent as it stands here: www.example.org");
  } else {
    host = *text;
  }
}

/// "200" or "200-399".
std::optional<StatusRange> range_from_string(std::string_view text) {
  const auto dash = text.find('-');
  const auto low = strictyaml::number_from_string<unsigned>(text.substr(0, dash));
  const auto high = dash == std::string_view::npos
                        ? low
                        : strictyaml::number_from_string<unsigned>(text.substr(dash + 1));
  if (!low || !high || *low < lowest_status || *high > highest_status || *low > *high) {
    return std::nullopt;
  }
  return StatusRange{*low, *high};
}

void set_expect(const Node& node, StatusRange& expect) {
  const auto text = node.as_string();
  if (!text) return;
  const auto range = range_from_string(*text);
  if (range) {
    expect = *range;
  } else {
    node.refuse_value("is no range of status codes", "write 200 or 200-399, within 100-599");
  }
}

/// Keys that say nothing to a probe of the other type are a misunderstanding.
void refuse_http_keys(const Node& node) {
  for (const std::string_view key : {"path", "host", "expect"}) {
    const Node one = node[key];
    if (!one.exists()) continue;
    one.error(one.path() + ": a probe of type tcp sends nothing", "write \"type: http\" beside it");
  }
}

void set_times(const Node& node, ProbeConfig& probe) {
  std::chrono::nanoseconds interval = -1ns;
  std::chrono::nanoseconds deadline = -1ns;
  set_duration(node["interval"], 100ms, 1h, interval);
  set_duration(node["deadline"], 1ms, 1min, deadline);
  if (interval >= 0ns) probe.interval = interval;
  if (deadline >= 0ns) probe.deadline = deadline;
}

}  // namespace

void set_probe(const Node& node, std::optional<ProbeConfig>& probe) {
  if (!node.exists()) return;
  ProbeConfig changed = probe.value_or(ProbeConfig{});
  const auto type = node["type"].as_one_of({"tcp", "http", "none"});
  if (type && *type < 2) {
    changed.kind = *type == 0 ? ProbeConfig::Kind::tcp : ProbeConfig::Kind::http;
  }
  const bool misread = node["type"].exists() && !type;
  if (changed.kind == ProbeConfig::Kind::tcp && !misread) refuse_http_keys(node);
  set_http_path(node["path"], changed.path);
  set_host(node["host"], changed.host);
  set_expect(node["expect"], changed.expect);
  if (const auto port = port_from_node(node["port"])) changed.port = *port;
  set_times(node, changed);
  node.reject_unknown_keys();
  const bool none = type && *type == 2;
  probe = none ? std::nullopt : std::optional(std::move(changed));
}

void check_probe_times(const Node& node, const std::optional<ProbeConfig>& probe,
                       std::chrono::nanoseconds cycle) {
  if (!node.exists() || !probe) return;
  const auto interval = probe_interval(*probe, cycle);
  const auto deadline = probe_deadline(*probe, cycle);
  if (deadline <= interval) return;
  const Node written = node["deadline"];
  (written.exists() ? written : node)
      .error(node.path() + ".deadline: " + strictyaml::string_from_duration_ns(deadline.count()) +
                 " is above the interval of " +
                 strictyaml::string_from_duration_ns(interval.count()),
             "a probe has to end before the next one begins");
}

void warn_probe_without_port(const Node& node, const std::optional<ProbeConfig>& probe,
                             const ipvs::ServiceKey& service) {
  if (!node.exists() || !probe || probe->port) return;
  if (service.protocol != ipvs::Protocol::udp && service.protocol != ipvs::Protocol::sctp) return;
  node.warn(node.path() + ": this service has no TCP port that could be probed",
            "name one that its servers answer on: port: 80");
}

}  // namespace lvs::monitord
