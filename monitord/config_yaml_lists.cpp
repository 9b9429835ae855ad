#include "monitord/config_yaml_lists.hpp"

#include <map>
#include <string>
#include <utility>

#include "agentproto/key.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_outputs.hpp"
#include "monitord/config_yaml_policy.hpp"
#include "monitord/config_yaml_probe.hpp"
#include "monitord/config_yaml_seen.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

std::optional<std::string> name_from_node(const Node& node) {
  auto name = node.as_string();
  if (!name) return std::nullopt;
  if (!agentproto::is_agent_name(*name)) {
    node.refuse_value("is no name of an agent", std::string{agentproto::agent_name_rule});
    return std::nullopt;
  }
  return name;
}

ServerConfig server_from_node(const Node& node, const Policy& defaults) {
  ServerConfig server;
  server.name = name_from_node(node["name"]);
  server.agent_address = address_from_node(node["agent"]);
  server.agent_port = port_from_node(node["port"]);
  const Node base = node["base"];
  server.base = base_from_node(base);
  if (server.base) warn_unreachable_base(base, *server.base, defaults.weights);
  node.reject_unknown_keys();
  return server;
}

/// The kernel takes a destination of the other family only with tunnels, and only while no
/// connection synchronisation runs (ip_vs_ctl.c, ip_vs_genl_set_cmd).
void warn_mixed_family(const Node& node, const ipvs::ServiceKey& service,
                       const ipvs::DestinationKey& destination) {
  if (service.family == destination.address.family) return;
  const bool inet6 = destination.address.family == ipvs::Family::inet6;
  node.warn(node.path() + ": an " + (inet6 ? "IPv6" : "IPv4") + " destination of an " +
                (inet6 ? "IPv4" : "IPv6") + " service",
            "the kernel takes it only with tunnels and without connection synchronisation");
}

void add_base(const Node& node, ServiceConfig& service, const std::optional<ipvs::ServiceKey>& key,
              Seen<ipvs::DestinationKey>& seen) {
  const Node destination_node = node.required("destination");
  const Node base_node = node.required("base");
  const auto destination = destination_from_node(destination_node, key);
  const auto base = base_from_node(base_node);
  node.reject_unknown_keys();
  if (base) warn_unreachable_base(base_node, *base, service.policy.weights);
  if (!destination || !first_time(seen, *destination, destination_node)) return;
  if (key) warn_mixed_family(destination_node, *key, *destination);
  if (base) service.bases.emplace(*destination, *base);
}

ServiceConfig service_config_from_node(const Node& node, const Policy& defaults,
                                       Seen<ipvs::ServiceKey>& seen) {
  ServiceConfig service;
  const Node name = node.required("service");
  const auto key = service_from_node(name);
  if (key && first_time(seen, *key, name)) service.key = *key;
  service.policy = policy_from_node(node, defaults);
  set_output(node, service);
  if (key) warn_probe_without_port(node["probe"], service.policy.probe, *key);
  Seen<ipvs::DestinationKey> seen_destinations;
  for (const Node& server : node["servers"].items()) {
    add_base(server, service, key, seen_destinations);
  }
  node.reject_unknown_keys();
  return service;
}

}  // namespace

std::map<ipvs::IpAddress, ServerConfig> servers_from_node(const Node& node,
                                                          const Policy& defaults) {
  std::map<ipvs::IpAddress, ServerConfig> servers;
  Seen<ipvs::IpAddress> seen;
  for (const auto& [key, value] : node.entries()) {
    const auto address = address_from_node(key);
    ServerConfig server = server_from_node(value, defaults);
    if (address && first_time(seen, *address, key)) servers.emplace(*address, std::move(server));
  }
  return servers;
}

std::optional<std::vector<ServiceConfig>> services_from_node(const Node& node,
                                                             const Policy& defaults, bool pools) {
  if (!node.exists()) return std::nullopt;
  if (node.is_null()) {
    node.error("services is empty",
               "remove the key to manage every service, or write \"services: []\" to manage none");
    return std::nullopt;
  }
  std::vector<ServiceConfig> services;
  Seen<ipvs::ServiceKey> seen;
  for (const Node& item : node.items()) {
    services.push_back(service_config_from_node(item, defaults, seen));
  }
  if (node.is_sequence() && services.empty() && !pools) {
    node.warn("services is an empty list: no service is managed");
  }
  return services;
}

}  // namespace lvs::monitord
