#include "monitord/config_yaml_pools.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "monitord/config_yaml_dns.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_outputs.hpp"
#include "monitord/config_yaml_policy.hpp"
#include "monitord/config_yaml_seen.hpp"
#include "monitord/strategies.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

/// proxy names and server names of HAProxy: letters, digits, and - _ . :
bool is_haproxy_name(std::string_view text) {
  constexpr std::size_t longest = 120;  // two of them and a slash fit into a question
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':';
  });
}

void set_haproxy_name(const Node& node, std::string& target) {
  const auto text = node.as_string();
  if (!text) return;
  if (is_haproxy_name(*text)) {
    target = *text;
  } else {
    node.refuse_value("is no name that HAProxy knows",
                      "it has letters, digits and - _ . : only, as in haproxy.cfg");
  }
}

std::optional<ipvs::ServiceKey> pool_key_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto name = ipvs::PoolName::from_string(*text);
  if (name) return ipvs::ServiceKey{.pool = *name};
  node.refuse_value("is no name of a pool",
                    "write 1 to 31 of A-Z a-z 0-9 . _ -, a letter or digit first");
  return std::nullopt;
}

OutputKind pool_output_from_node(const Node& node) {
  std::vector<std::string> words;
  for (const auto& output : outputs()) {
    if (output.takes_pools) words.emplace_back(output.name);
  }
  const auto named = node.is_scalar() ? node.as_string() : std::nullopt;
  const auto known = named ? output_from_name(*named) : std::nullopt;
  if (known && !traits_of(*known).takes_pools) {
    node.refuse_value("is no output of a declared pool",
                      "it writes to services in the kernel's table: name one under services:");
  } else if (const auto index = node.as_one_of(words)) {
    return output_from_name(words[*index]).value_or(OutputKind::haproxy);
  }
  return OutputKind::haproxy;
}

/// What may stand nowhere twice: in the pool, but for the last, which is of all pools.
struct SeenServers {
  Seen<ipvs::DestinationKey> destinations{};
  Seen<ipvs::IpAddress> addresses{};  ///< with an output that knows no ports
  Seen<std::string> names{};
};

bool is_new_address(const ipvs::IpAddress& address, const Node& node, Seen<ipvs::IpAddress>& seen) {
  const auto [first, is_new] = seen.try_emplace(address, node);
  if (!is_new) {
    node.refuse_value("has an address that is here already, and the DNS knows no ports",
                      "it is already in " + first->second.place_seen_from(node));
  }
  return is_new;
}

void add_server(const Node& node, PoolConfig& pool, SeenServers& seen) {
  // HAProxy asks by it; elsewhere a server is its address.
  const bool needs_name = pool.service.output == OutputKind::haproxy;
  const Node name_node = needs_name ? node.required("name") : node["name"];
  const Node destination_node = node.required("destination");
  const Node base_node = node.required("base");
  std::string name;
  set_haproxy_name(name_node, name);
  const auto destination = destination_from_node(destination_node, std::nullopt);
  const auto base = base_from_node(base_node);
  node.reject_unknown_keys();
  const auto limit = traits_of(pool.service.output).can.range.max;
  if (base && *base > limit) {
    base_node.refuse_value("is above " + std::to_string(limit) + ", the largest weight of " +
                           std::string(name_of_output(pool.service.output)));
  } else if (base) {
    warn_unreachable_base(base_node, *base, pool.service.policy.weights);
  }
  const bool new_name = name.empty() || first_time(seen.names, name, name_node);
  if (!destination || !first_time(seen.destinations, *destination, destination_node)) return;
  if (pool.service.output == OutputKind::dns &&
      !is_new_address(destination->address, destination_node, seen.addresses))
    return;
  if (!base || !new_name) return;
  if (name.empty()) name = ipvs::string_from_destination_key(*destination);
  pool.service.bases.emplace(*destination, *base);
  pool.names.emplace(*destination, std::move(name));
}

/// What the strategy's connections could be left out of; empty: it needs them.
std::string_view coefficient_of_connections(StrategyKind strategy) {
  if (strategy == StrategyKind::feedback) return "feedback.coefficients.input";
  if (strategy == StrategyKind::linear) return "linear.coefficients.connections";
  return {};
}

void check_counters(const Node& node, const PoolConfig& pool) {
  const auto& policy = pool.service.policy;
  if (!pool.stats.empty()) return;
  const std::string socket = pool.service.output == OutputKind::haproxy
                                 ? "name HAProxy's stats socket (stats: /run/haproxy/admin.sock), "
                                 : "";
  if (readings_needed(policy).connections) {
    const Node strategy = node["strategy"];
    const auto coefficient = coefficient_of_connections(policy.strategy);
    std::string hint = socket + "take a strategy that does without (strategy: headroom)";
    if (!coefficient.empty()) hint.append(", or set ").append(coefficient).append(" to 0");
    (strategy.exists() ? strategy : node)
        .error(node.path() + ": strategy " + std::string(name_of_strategy(policy.strategy)) +
                   " needs connection counters, and this pool has none",
               std::move(hint));
  }
  if (policy.standby == StandbyPolicy::keep) {
    node["standby"].error(
        node.path() + ": without connection counters this pool would be on standby for ever",
        socket.empty() ? "leave standby out" : socket + "or leave standby out");
  }
}

void set_file(const Node& node, PoolConfig& pool) {
  constexpr std::size_t max_file_bytes = 4000;  // PATH_MAX less what is made beside it
  set_path(node["file"], max_file_bytes, pool.file);
  if (node["file"].exists()) return;
  node["output"].error(
      node.path() + ": nginx needs a file to include",
      "name one in a folder that monitord may write to: file: /var/lib/monitord/nginx/web.conf");
}

/// Keys of one output, which say nothing to another.
void set_places(const Node& node, PoolConfig& pool) {
  constexpr std::size_t max_socket_bytes = 107;  // sun_path less the final zero (unix(7))
  const auto output = pool.service.output;
  const auto only = [&](const Node& key, OutputKind of) {
    if (key.exists() && output != of)
      key.error(key.path() + ": only output: " + std::string(name_of_output(of)) + " has this key");
    return output == of;
  };
  if (only(node["backend"], OutputKind::haproxy)) {
    pool.backend = pool.service.key.pool.text();
    set_haproxy_name(node["backend"], pool.backend);
  }
  if (only(node["stats"], OutputKind::haproxy))
    set_path(node["stats"], max_socket_bytes, pool.stats);
  if (only(node["file"], OutputKind::nginx)) set_file(node, pool);
  const bool has_host = only(node["host"], OutputKind::dns);
  if (only(node["choice"], OutputKind::dns) && has_host) set_dns_pool(node, pool);
}

void set_balance(const Node& node, PoolConfig& pool) {
  if (pool.service.output == OutputKind::dns) {
    pool.balance = "dns";
    if (node.exists())
      node.error(node.path() + ": answers of the DNS are balanced by their choice alone",
                 "leave it out; choice: weighted or best is what there is to say");
    return;
  }
  const std::vector<std::string> balances{"roundrobin", "leastconn", "random"};
  if (const auto index = node.as_one_of(balances)) pool.balance = balances[*index];
}

PoolConfig pool_from_node(const Node& node, const Policy& defaults, Seen<ipvs::ServiceKey>& seen) {
  PoolConfig pool;
  const Node name = node.required("pool");
  const auto key = pool_key_from_node(name);
  if (key && first_time(seen, *key, name)) pool.service.key = *key;
  pool.service.output = pool_output_from_node(node.required("output"));
  set_balance(node["balance"], pool);
  set_places(node, pool);
  Policy inherited = policy_for_output(pool.service.output, defaults);
  // Nobody can tell whether anything comes through it.
  if (pool.stats.empty()) inherited.standby = StandbyPolicy::steer;
  pool.service.policy = policy_from_node(node, inherited);
  check_capabilities(node, pool.service);
  check_counters(node, pool);
  const Node servers = node.required("servers");
  SeenServers seen_servers;
  for (const Node& server : servers.items())
    add_server(server, pool, seen_servers);
  if (servers.is_sequence() && servers.items().empty()) {
    servers.error(servers.path() + ": a pool without servers balances nothing");
  }
  node.reject_unknown_keys();
  return pool;
}

}  // namespace

std::vector<PoolConfig> pools_from_node(const Node& node, const Policy& defaults) {
  std::vector<PoolConfig> pools;
  Seen<ipvs::ServiceKey> seen;
  for (const Node& item : node.items())
    pools.push_back(pool_from_node(item, defaults, seen));
  return pools;
}

}  // namespace lvs::monitord
