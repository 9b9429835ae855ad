#include "monitord/config_yaml_outputs.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "monitord/config_yaml_dns.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_seen.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

/// A reload costs more than a weight that is a little off.
constexpr double nginx_boundary = 20;           // percent
constexpr std::size_t max_folder_bytes = 4000;  // PATH_MAX less the longest name of a file in it

/// Where it is written, else where the section begins.
const Node& written_or(const Node& node, const Node& section) {
  return node.exists() ? node : section;
}

void check_weights(const Node& node, const ServiceConfig& service, const OutputTraits& output) {
  const auto most = service.policy.weights.max;
  const auto limit = output.can.range.max;
  if (most <= limit) return;
  const Node max = node["weights"]["max"];
  written_or(max, node).error(node.path() + ": weights.max " + std::to_string(most) + " is above " +
                                  std::to_string(limit) + ", the largest weight that " +
                                  std::string(output.name) + " takes",
                              "write weights: {max: " + std::to_string(limit) + "} here");
}

void check_interval(const Node& node, const ServiceConfig& service, const OutputTraits& output) {
  const auto wanted = service.policy.min_write_interval;
  const auto least = output.can.smallest_interval;
  if (wanted >= least) return;
  const auto text = strictyaml::string_from_duration_ns(least.count());
  const Node interval = node["min_write_interval"];
  written_or(interval, node)
      .error(node.path() + ": min_write_interval " +
                 strictyaml::string_from_duration_ns(wanted.count()) + " is below " + text +
                 ", the smallest interval of " + std::string(output.name),
             "write min_write_interval: " + text + " here");
}

void check_zero(const Node& node, const ServiceConfig& service, const OutputTraits& output) {
  const auto& policy = service.policy;
  if (output.can.allows_zero) return;
  if (policy.on_silence != SilencePolicy::drain && !policy.agent_drain) return;
  node.error(node.path() + ": " + std::string(output.name) + " takes no weight of 0",
             "nobody can be drained through it: leave out on_silence: drain and agent_drain");
}

}  // namespace

void check_capabilities(const Node& node, const ServiceConfig& service) {
  const auto& output = traits_of(service.output);
  check_weights(node, service, output);
  check_interval(node, service, output);
  check_zero(node, service, output);
}

namespace {

void set_listen(const Node& node, std::string& listen) {
  const auto text = node.as_string();
  if (!text) return;
  const auto place = ipvs::destination_key_from_string(*text);
  if (!place || place->port == 0) {
    node.refuse_value("is no place to listen at", "write 127.0.0.1:6355 or [::1]:6355");
    return;
  }
  listen = *text;
  if (is_loopback(place->address)) return;
  node.warn(node.path() + ": others than this host can ask for the weights",
            "let a firewall admit the hosts that HAProxy runs on, and no others");
}

/// A program and its arguments: no shell takes it apart, and no PATH is searched.
void set_command(const Node& node, std::vector<std::string>& command) {
  if (!node.exists()) return;
  const auto items = node.items();
  std::vector<std::string> words;
  for (const Node& item : items) {
    auto word = item.as_string();
    if (!word) return;
    words.push_back(*std::move(word));
  }
  if (node.is_sequence() && words.empty()) {
    node.error(node.path() + ": no program is named",
               "write it and its arguments as a list: [/usr/sbin/nginx, -t, -q]");
  } else if (!words.empty() && !words.front().starts_with('/')) {
    items.front().refuse_value("is no absolute path", "write the whole path, from \"/\" on");
  } else if (!words.empty()) {
    command = std::move(words);
  }
}

void set_nginx(const Node& node, NginxConfig& nginx) {
  if (!node.exists()) return;
  set_command(node["test"], nginx.test);
  set_command(node["reload"], nginx.reload);
  node.reject_unknown_keys();
}

}  // namespace

void set_outputs(const Node& node, OutputsConfig& outputs) {
  if (!node.exists()) return;
  const Node haproxy = node["haproxy"];
  set_listen(haproxy["listen"], outputs.haproxy_listen);
  if (haproxy.exists()) haproxy.reject_unknown_keys();
  set_nginx(node["nginx"], outputs.nginx);
  set_dns(node["dns"], outputs.dns);
  node.reject_unknown_keys();
}

Policy policy_for_output(OutputKind output, const Policy& defaults) {
  Policy policy = defaults;
  if (output != OutputKind::nginx) return policy;
  policy.min_write_interval = traits_of(output).can.smallest_interval;
  policy.boundary = {loadcalc::Boundary::Unit::percent, nginx_boundary};
  return policy;
}

void set_output(const Node& node, ServiceConfig& service) {
  std::vector<std::string> words;
  for (const auto& output : outputs()) {
    if (!output.takes_pools) words.emplace_back(output.name);
  }
  const Node written = node["output"];
  const Node folder = node["folder"];
  const auto named = written.is_scalar() ? written.as_string() : std::nullopt;
  const auto known = named ? output_from_name(*named) : std::nullopt;
  if (known && traits_of(*known).takes_pools) {
    written.refuse_value("is no output of a service in the kernel's table",
                         "what it balances is no IPVS service: declare it under pools:");
  } else if (const auto index = written.as_one_of(words)) {
    service.output = output_from_name(words[*index]).value_or(OutputKind::ipvs);
  }
  set_path(folder, max_folder_bytes, service.folder);
  if (service.output == OutputKind::keepalived && !folder.exists()) {
    written.error(written.path() + ": track files need a folder",
                  "name one that monitord may write to: folder: /var/lib/monitord/keepalived/web");
  }
  if (service.output != OutputKind::keepalived && folder.exists() && (known || !named)) {
    folder.error(folder.path() + ": only output: keepalived has files in a folder");
  }
  check_capabilities(node, service);
}

namespace {

/// One answer for one question, and one writer of a file.
void check_places(const Node& root, const std::vector<PoolConfig>& pools) {
  const Node list = root["pools"];
  if (!list.is_sequence()) return;
  Seen<std::string> seen;
  Seen<std::string> files;
  auto pool = pools.begin();
  for (const Node& node : list.items()) {
    const auto& file = pool->file;
    if (!file.empty()) first_time(files, file, node["file"]);
    const auto& backend = (pool++)->backend;
    const Node written = node["backend"];
    const auto [first, is_new] = seen.try_emplace(backend, written_or(written, node));
    if (is_new || backend.empty()) continue;
    written_or(written, node)
        .error(node.path() + ": backend \"" + backend + "\" is another pool's",
               "it is already in " + first->second.place_seen_from(node));
  }
}

}  // namespace

void check_outputs(const Node& root, const Config& config) {
  check_places(root, config.pools);
  const Node services = root["services"];
  if (!config.services || !services.is_sequence()) return;
  Seen<std::string> folders;
  auto service = config.services->begin();
  for (const Node& node : services.items()) {
    const auto& one = *service++;
    if (one.output != OutputKind::keepalived) continue;
    const Node folder = node["folder"];
    if (folder.exists() && !one.folder.empty()) first_time(folders, one.folder, folder);
    if (!one.bases.empty()) continue;
    node["output"].error(
        node.path() + ": track files need base weights, and none is given here",
        "a weight that keepalived read from a file is no base: list the servers of this service "
        "with theirs");
  }
}

}  // namespace lvs::monitord
