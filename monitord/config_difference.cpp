#include "monitord/config_difference.hpp"

#include <map>
#include <string_view>

#include "monitord/policy_numbers.hpp"
#include "monitord/policy_words.hpp"
#include "monitord/size_text.hpp"
#include "monitord/strategies.hpp"
#include "strictyaml/duration.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitord {

using strictyaml::string_from_number;

namespace {

/// Setting -> value, both as in monitord.yaml: two configurations differ where these maps do.
using Settings = std::map<std::string, std::string>;
/// The settings of each service or server under its name.
using Sections = std::map<std::string, Settings>;

std::string string_from_bool(bool value) {
  return value ? "true" : "false";
}

std::string string_from_duration(std::chrono::nanoseconds duration) {
  return strictyaml::string_from_duration_ns(duration.count());
}

std::string string_from_boundary(const loadcalc::Boundary& boundary) {
  const bool percent = boundary.unit == loadcalc::Boundary::Unit::percent;
  return string_from_number(boundary.value) + (percent ? "%" : "");
}

template <typename Number>
std::string string_from_optional(const std::optional<Number>& value) {
  return value ? std::to_string(*value) : "none";
}

std::string string_from_names(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text.append(text.empty() ? "" : ", ").append(name);
  return text.empty() ? "none" : text;
}

void add_numbers(Policy policy, Settings& settings) {
  for (const PolicyMap& map : policy_maps(policy)) {
    std::string head{map.section};
    if (!map.within.empty()) head.append(".").append(map.within);
    for (const PolicyNumber& number : map.numbers) {
      settings[head + "." + std::string{number.key}] = string_from_number(*number.value);
    }
  }
}

void add_probe(const ProbeConfig& probe, Settings& settings) {
  const bool http = probe.kind == ProbeConfig::Kind::http;
  settings["probe.type"] = http ? "http" : "tcp";
  settings["probe.port"] = string_from_optional(probe.port);
  if (probe.interval) settings["probe.interval"] = string_from_duration(*probe.interval);
  if (probe.deadline) settings["probe.deadline"] = string_from_duration(*probe.deadline);
  if (!http) return;
  settings["probe.path"] = probe.path;
  settings["probe.host"] = probe.host.empty() ? "none" : probe.host;
  settings["probe.expect"] =
      std::to_string(probe.expect.low) + "-" + std::to_string(probe.expect.high);
}

Settings settings_from_policy(const Policy& policy) {
  Settings settings{
      {"strategy", std::string(name_of_strategy(policy.strategy))},
      {"boundary", string_from_boundary(policy.boundary)},
      {"weights.min", std::to_string(policy.weights.min)},
      {"weights.max", std::to_string(policy.weights.max)},
      {"min_write_interval", string_from_duration(policy.min_write_interval)},
      {"up_step", string_from_number(policy.up_step)},
      {"step_cap", string_from_number(policy.guards.step_cap)},
      {"slow_start", string_from_number(policy.guards.slow_start_s) + "s"},
      {"idle_cpu", string_from_number(policy.guards.idle_cpu)},
      {"foreign", word_of(policy.foreign, foreign_words)},
      {"on_silence", word_of(policy.on_silence, silence_words)},
      {"standby", word_of(policy.standby, standby_words)},
      {"agent_drain", string_from_bool(policy.agent_drain)},
      {"composite.cpu", string_from_number(policy.capacity.shares.cpu)},
      {"composite.memory", string_from_number(policy.capacity.shares.memory)},
  };
  add_numbers(policy, settings);
  if (policy.probe) add_probe(*policy.probe, settings);
  return settings;
}

Settings settings_from_server(const ServerConfig& server) {
  return {
      {"name", server.name.value_or("none")},
      {"agent",
       server.agent_address ? ipvs::string_from_ip_address(*server.agent_address) : "none"},
      {"port", string_from_optional(server.agent_port)},
      {"base", string_from_optional(server.base)},
  };
}

Settings settings_from_config(const Config& config) {
  return {
      {"dry_run", string_from_bool(config.dry_run)},
      {"interval", string_from_duration(config.interval)},
      {"hold_polls", std::to_string(config.hold_polls)},
      {"on_exit", word_of(config.on_exit, exit_words)},
      {"agent.port", std::to_string(config.agent.port)},
      {"agent.deadline", string_from_duration(config.agent.deadline)},
      {"agent.security", config.agent.security == Security::keys ? "keys" : "none"},
      {"agent.keys", config.agent.keys_file},
      {"control.socket", config.control_socket},
      {"state.file", config.state_file},
      {"log.level", config.log_level},
      {"record.file", config.record.file.empty() ? "none" : config.record.file},
      {"record.max_size", string_from_size(config.record.max_size)},
      {"record.files", std::to_string(config.record.files)},
      {"http.listen", config.http.listen.empty() ? "none" : config.http.listen},
      {"http.hosts", string_from_names(config.http.hosts)},
      {"services", config.services ? "as listed" : "all that use weights"},
  };
}

Sections sections_from_config(const Config& config) {
  Sections sections{{"defaults", settings_from_policy(config.defaults)}};
  for (const auto& [address, server] : config.servers) {
    sections["server " + ipvs::string_from_ip_address(address)] = settings_from_server(server);
  }
  for (const ServiceConfig& service : config.services.value_or(std::vector<ServiceConfig>{})) {
    Settings& settings = sections[ipvs::string_from_service_key(service.key)];
    settings = settings_from_policy(service.policy);
    for (const auto& [destination, base] : service.bases) {
      settings["base of " + ipvs::string_from_destination_key(destination)] = std::to_string(base);
    }
  }
  return sections;
}

void add_changes(const std::string& prefix, const Settings& before, const Settings& after,
                 std::vector<std::string>& lines) {
  Settings all = before;
  all.insert(after.begin(), after.end());
  const auto value = [](const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string{"none"} : found->second;
  };
  for (const auto& [name, unused] : all) {
    const std::string from = value(before, name);
    const std::string to = value(after, name);
    if (from == to) continue;
    std::string line = prefix;
    lines.push_back(line.append(name).append(": ").append(from).append(" -> ").append(to));
  }
}

}  // namespace

std::vector<std::string> config_difference(const Config& before, const Config& after) {
  std::vector<std::string> lines;
  add_changes("", settings_from_config(before), settings_from_config(after), lines);
  const Sections old_sections = sections_from_config(before);
  const Sections new_sections = sections_from_config(after);
  Sections all = old_sections;
  all.insert(new_sections.begin(), new_sections.end());
  for (const auto& [name, unused] : all) {
    const auto from = old_sections.find(name);
    const auto to = new_sections.find(name);
    if (from == old_sections.end()) {
      lines.push_back(name + ": added");
    } else if (to == new_sections.end()) {
      lines.push_back(name + ": removed");
    } else {
      add_changes(name + ": ", from->second, to->second, lines);
    }
  }
  return lines;
}

}  // namespace lvs::monitord
