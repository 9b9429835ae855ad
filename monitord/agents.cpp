#include "monitord/agents.hpp"

#include <algorithm>

#include "loadcalc/scheduler.hpp"

namespace lvs::monitord {
namespace {

bool is_managed(const ipvs::Service& service, const Config& config) {
  if (!config.services) return loadcalc::uses_weights(service.scheduler);
  return std::any_of(config.services->begin(), config.services->end(),
                     [&](const ServiceConfig& listed) { return listed.key == service.key; });
}

Agent agent_from_server(const ipvs::IpAddress& server, const Config& config) {
  Agent agent{server, {server, config.agent.port}, {}};
  const auto known = config.servers.find(server);
  if (known != config.servers.end()) {
    agent.endpoint.address = known->second.agent_address.value_or(server);
    agent.endpoint.port = known->second.agent_port.value_or(config.agent.port);
    agent.name = known->second.name.value_or("");
  }
  if (agent.name.empty()) agent.name = ipvs::string_from_ip_address(agent.endpoint.address);
  return agent;
}

}  // namespace

std::string string_from_endpoint(const Endpoint& endpoint) {
  return ipvs::string_from_destination_key({endpoint.address, endpoint.port});
}

std::vector<Agent> agents_from_table(std::span<const ipvs::ServiceEntry> table,
                                     const Config& config) {
  std::vector<ipvs::IpAddress> servers;
  for (const auto& entry : table) {
    if (!is_managed(entry.service, config)) continue;
    for (const auto& destination : entry.destinations)
      servers.push_back(destination.key.address);
  }
  std::ranges::sort(servers);
  servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
  std::vector<Agent> agents;
  agents.reserve(servers.size());
  for (const auto& server : servers)
    agents.push_back(agent_from_server(server, config));
  return agents;
}

}  // namespace lvs::monitord
