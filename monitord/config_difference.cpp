#include "monitord/config_difference.hpp"

#include <map>
#include <string_view>

#include "monitord/config_settings.hpp"

namespace lvs::monitord {
namespace {

/// Setting -> value, both as in monitord.yaml: two configurations differ where these maps do.
using Settings = std::map<std::string, std::string>;
/// The settings of each service or server under its name.
using Sections = std::map<std::string, Settings>;

Settings map_from_settings(const std::vector<Setting>& settings) {
  Settings map;
  for (const Setting& setting : settings) {
    std::string text;
    for (const auto& value : setting.values)
      text.append(text.empty() ? "" : ", ").append(value);
    map.emplace(setting.key, text.empty() ? "none" : text);
  }
  return map;
}

Settings settings_of_file(const Config& config) {
  Settings settings = map_from_settings(settings_from_config(config));
  settings.emplace("services", config.services ? "as listed" : "all that use weights");
  return settings;
}

void add_policy(const ServiceConfig& service, Settings& settings) {
  settings.merge(map_from_settings(settings_from_policy(service.policy)));
  for (const auto& [destination, base] : service.bases) {
    settings["base of " + ipvs::string_from_destination_key(destination)] = std::to_string(base);
  }
}

Sections sections_from_config(const Config& config) {
  Sections sections{{"defaults", map_from_settings(settings_from_policy(config.defaults))}};
  for (const auto& [address, server] : config.servers) {
    sections["server " + ipvs::string_from_ip_address(address)] =
        map_from_settings(settings_from_server(server));
  }
  for (const ServiceConfig& service : config.services.value_or(std::vector<ServiceConfig>{})) {
    Settings& settings = sections[ipvs::string_from_service_key(service.key)];
    settings = map_from_settings(settings_from_output(service));
    add_policy(service, settings);
  }
  for (const PoolConfig& pool : config.pools) {
    Settings& settings = sections[ipvs::string_from_service_key(pool.service.key)];
    settings = map_from_settings(settings_from_pool(pool));
    add_policy(pool.service, settings);
    for (const auto& [destination, name] : pool.names)
      settings["name of " + ipvs::string_from_destination_key(destination)] = name;
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
  add_changes("", settings_of_file(before), settings_of_file(after), lines);
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
