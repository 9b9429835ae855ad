#include "monitord/config_yaml.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "monitord/config_yaml_dns.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_http.hpp"
#include "monitord/config_yaml_lists.hpp"
#include "monitord/config_yaml_outputs.hpp"
#include "monitord/config_yaml_policy.hpp"
#include "monitord/config_yaml_pools.hpp"
#include "monitord/config_yaml_probe.hpp"
#include "monitord/policy_words.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::monitord {

using strictyaml::Document;
using strictyaml::Node;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t max_path_bytes = 4095;   // PATH_MAX less the final zero
constexpr std::size_t max_socket_bytes = 107;  // sun_path less the final zero (unix(7))
constexpr std::uint64_t smallest_record = std::uint64_t{64} << 10U;
constexpr std::uint64_t largest_record = std::uint64_t{1} << 40U;
constexpr std::chrono::nanoseconds estimation_interval = 2s;  // ip_vs_est.c

void set_interval(const Node& node, std::chrono::nanoseconds& interval) {
  set_duration(node, 100ms, 1min, interval);
  if (!node.exists() || interval >= estimation_interval) return;
  node.warn("interval: the kernel renews its connection counters every 2s only",
            "a shorter interval makes more work and sees nothing earlier");
}

void set_hold_polls(const Node& node, unsigned& hold_polls) {
  const auto polls = node.as_integer(0, 1000);
  if (polls) hold_polls = static_cast<unsigned>(*polls);
}

void set_security(const Node& node, Security& security) {
  const auto index = node.as_one_of({"keys", "none"});
  if (!index) return;
  security = *index == 0 ? Security::keys : Security::none;
  if (security == Security::keys) return;
  node.warn(node.path() + ": readings are not authenticated",
            "whoever can send datagrams to this director can forge the load of every server");
}

void set_agent(const Node& node, AgentConfig& agent) {
  if (!node.exists()) return;
  agent.port = port_from_node(node["port"]).value_or(agent.port);
  set_duration(node["deadline"], 1ms, 1min, agent.deadline);
  set_security(node["security"], agent.security);
  set_path(node["keys"], max_path_bytes, agent.keys_file);
  node.reject_unknown_keys();
}

/// An agent has to answer before it is asked again.
void check_deadline(const Node& root, const Config& config) {
  if (config.agent.deadline < config.interval) return;
  const Node deadline = root["agent"]["deadline"];
  (deadline.exists() ? deadline : root["interval"])
      .error(
          "agent.deadline: " + strictyaml::string_from_duration_ns(config.agent.deadline.count()) +
              " is not below the interval of " +
              strictyaml::string_from_duration_ns(config.interval.count()),
          "an agent has to answer before it is asked again");
}

void check_probes(const Node& root, const Config& config) {
  check_probe_times(root["defaults"]["probe"], config.defaults.probe, config.interval);
  const Node pools = root["pools"];
  auto pool = config.pools.begin();
  for (const Node& node : pools.is_sequence() ? pools.items() : std::vector<Node>{})
    check_probe_times(node["probe"], (pool++)->service.policy.probe, config.interval);
  const Node services = root["services"];
  if (!config.services || !services.is_sequence()) return;
  auto service = config.services->begin();
  for (const Node& node : services.items())
    check_probe_times(node["probe"], (service++)->policy.probe, config.interval);
}

/// A map with a single path in it: `control: {socket: PATH}`.
void set_only_path(const Node& node, std::string_view key, std::size_t max_bytes,
                   std::string& path) {
  if (!node.exists()) return;
  set_path(node[key], max_bytes, path);
  node.reject_unknown_keys();
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

void set_record(const Node& node, RecordConfig& record) {
  if (!node.exists()) return;
  const Node file = node["file"];
  set_path(file, max_path_bytes, record.file);
  set_size(node["max_size"], smallest_record, largest_record, record.max_size);
  const auto files = node["files"].as_integer(0, 1000);
  if (files) record.files = static_cast<unsigned>(*files);
  if (node.is_map() && !file.exists()) {
    node.warn("record: no file is named: nothing is recorded",
              "name one, or start monitord with --record FILE");
  }
  node.reject_unknown_keys();
}

Policy defaults_from_node(const Node& node) {
  if (!node.exists()) return {};
  Policy policy = policy_from_node(node, {});
  node.reject_unknown_keys();
  return policy;
}

}  // namespace

Document document_from_files(std::vector<strictyaml::TextFile> files) {
  return {std::move(files), {"services", "pools"}};
}

Config config_from_node(const Node& root) {
  Config config;
  set_bool(root["dry_run"], config.dry_run);
  set_interval(root["interval"], config.interval);
  set_hold_polls(root["hold_polls"], config.hold_polls);
  set_choice(root["on_exit"], exit_words, config.on_exit);
  set_agent(root["agent"], config.agent);
  check_deadline(root, config);
  set_only_path(root["control"], "socket", max_socket_bytes, config.control_socket);
  set_only_path(root["state"], "file", max_path_bytes, config.state_file);
  set_log(root["log"], config);
  set_record(root["record"], config.record);
  set_http(root["http"], config.http);
  config.defaults = defaults_from_node(root["defaults"]);
  config.servers = servers_from_node(root["servers"], config.defaults);
  set_outputs(root["outputs"], config.outputs);
  config.pools = pools_from_node(root["pools"], config.defaults);
  config.services = services_from_node(root["services"], config.defaults, !config.pools.empty());
  finish_dns(root, config);
  check_outputs(root, config);
  check_probes(root, config);
  root.reject_unknown_keys();
  return config;
}

tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_files(
    std::vector<strictyaml::TextFile> files) {
  const Document document = document_from_files(std::move(files));
  Config config = config_from_node(document.root());
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return CheckedConfig{std::move(config), document.problems()};
}

tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_yaml(std::string text,
                                                                               std::string file) {
  std::vector<strictyaml::TextFile> files;
  files.push_back({std::move(file), std::move(text)});
  return config_from_files(std::move(files));
}

}  // namespace lvs::monitord
