#include "clustersim/scenario_yaml_lists.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "clustersim/names.hpp"
#include "clustersim/scenario_yaml_fields.hpp"
#include "strictyaml/number.hpp"
#include "strictyaml/words.hpp"

namespace lvs::clustersim {

using strictyaml::Node;

namespace {

constexpr unsigned most_cores = 1024;
constexpr unsigned most_workers = 1'000'000;
constexpr std::int64_t largest_weight = 65535;  // as in monitord.yaml
constexpr double fastest = 1000;
/// Shares that people write with a few digits sum up to 1 within this.
constexpr double sum_tolerance = 1e-6;

Server server_from_node(const Node& node) {
  Server server;
  set_positive_number(node["speed"], fastest, server.speed);
  set_count(node["cores"], most_cores, server.cores);
  set_count(node["workers"], most_workers, server.workers);
  const auto base = node["base"].as_integer(1, largest_weight);
  if (base) server.base = static_cast<std::uint32_t>(*base);
  set_share(node["memory_used"], server.memory_used);
  set_share(node["memory_per_request"], server.memory_per_request);
  return server;
}

RequestClass class_from_node(const Node& node) {
  RequestClass one;
  set_positive_number(node.required("share"), 1, one.share);
  set_positive_seconds(node.required("mean"), one.mean_s);
  node.reject_unknown_keys();
  return one;
}

template <typename Value>
bool holds(const std::vector<Value>& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

std::vector<Server> servers_from_node(const Node& node) {
  std::vector<Server> servers;
  if (!node.exists()) return servers;
  for (const Node& item : node.items()) {
    unsigned count = 1;
    set_count(item["count"], unsigned{most_servers}, count);
    const Server server = server_from_node(item);
    item.reject_unknown_keys();
    if (servers.size() + count > most_servers) {
      item.error(node.path() + ": more than " + std::to_string(most_servers) + " servers");
      return servers;
    }
    servers.insert(servers.end(), count, server);
  }
  if (servers.empty() && node.is_sequence()) {
    node.error(node.path() + " is empty: a pool has at least one server");
  }
  return servers;
}

void set_seeds(const Node& node, std::vector<std::uint64_t>& seeds) {
  if (!node.exists()) return;
  std::vector<std::uint64_t> read;
  for (const Node& item : node.items()) {
    const auto seed = item.as_integer(0, std::numeric_limits<std::int64_t>::max());
    if (!seed) continue;
    if (holds(read, static_cast<std::uint64_t>(*seed))) {
      item.refuse_value("is there twice", "the same seed gives the same run");
    }
    read.push_back(static_cast<std::uint64_t>(*seed));
  }
  if (read.empty() && node.is_sequence()) node.error(node.path() + ": not one seed");
  seeds = std::move(read);
}

void set_strategies(const Node& node, std::vector<std::string>& strategies) {
  if (!node.exists()) return;
  std::vector<std::string> read;
  for (const Node& item : node.items()) {
    const auto index = item.as_one_of(strategy_names());
    if (!index) continue;
    const std::string& name = strategy_names()[*index];
    if (holds(read, name)) item.refuse_value("is there twice");
    read.push_back(name);
  }
  if (read.empty() && node.is_sequence()) node.error(node.path() + ": not one strategy");
  strategies = std::move(read);
}

std::vector<RequestClass> classes_from_node(const Node& node) {
  std::vector<RequestClass> classes;
  if (!node.exists()) return classes;
  double sum = 0;
  for (const Node& item : node.items()) {
    classes.push_back(class_from_node(item));
    sum += classes.back().share;
  }
  const bool complete = std::all_of(classes.begin(), classes.end(),
                                    [](const RequestClass& one) { return one.share > 0; });
  if (!classes.empty() && complete && std::abs(sum - 1) > sum_tolerance) {
    constexpr double digits = 1e6;
    node.error(node.path() + ": the shares sum up to " +
               strictyaml::string_from_number(std::round(sum * digits) / digits) + ", not to 1");
  }
  return classes;
}

}  // namespace lvs::clustersim
