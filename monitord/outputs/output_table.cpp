#include "monitord/outputs/output_table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "ipvs/error.hpp"

namespace lvs::monitord {
namespace {

/// Only a list that is empty says that there is no IPVS to look at.
bool needs_kernel(const Config& config) {
  return config.pools.empty() || !config.services || !config.services->empty();
}

ipvs::Error with_hint(ipvs::Error error, bool pools) {
  if (pools && error.kind == ipvs::ErrorKind::no_ipvs) {
    error.message += "; where only pools are to be balanced, \"services: []\" says so";
  }
  return error;
}

ipvs::Error refused(std::string message) {
  return {ipvs::ErrorKind::refused, 0, std::move(message)};
}

ipvs::Error no_output(const ipvs::ServiceKey& key) {
  return refused("no output for " + ipvs::string_from_service_key(key));
}

std::string place_of(const PoolConfig& pool) {
  switch (pool.service.output) {
    case OutputKind::nginx:
      return pool.file;
    case OutputKind::dns:
      return pool.host;
    default:
      return pool.backend;
  }
}

ipvs::Error not_listed(const ipvs::ServiceKey& key, const ipvs::DestinationKey& destination) {
  return refused(ipvs::string_from_destination_key(destination) +
                 " is not written: list it with its base weight under servers: of " +
                 ipvs::string_from_service_key(key));
}

/// Pins and restores name weights of their own: the last guard of what the output can take. Empty:
/// it can.
std::string fault_of(std::uint32_t weight, const Output& output) {
  auto const& can = output.capabilities();
  auto const name = std::string(name_of_output(output.kind()));
  if (weight == 0) return can.allows_zero ? "" : name + " takes no weight of 0";
  if (weight >= can.range.min && weight <= can.range.max) return {};
  return "weight " + std::to_string(weight) + " is outside of " + std::to_string(can.range.min) +
         " to " + std::to_string(can.range.max) + ", which " + name + " takes";
}

}  // namespace

void OutputTable::configure(const Config& config, const Remembered& remembered) {
  asks_kernel_ = needs_kernel(config);
  pools_.declare(config.pools, remembered);
  routes_.clear();
  std::map<OutputKind, std::vector<OutputPool>> declared;
  add_pools(config, declared);
  add_services(config, declared);
  for (auto* const output : outputs_)
    output->declare(declared[output->kind()], !config.dry_run, clock_());
}

void OutputTable::add_pools(const Config& config,
                            std::map<OutputKind, std::vector<OutputPool>>& declared) {
  for (auto const& pool : config.pools) {
    auto const* const entry = pools_.find(pool.service.key);
    if (entry == nullptr) continue;
    OutputPool made{pool.service.key, place_of(pool), {}};
    for (auto const& destination : entry->destinations) {
      made.servers.push_back({destination.key, pool.names.at(destination.key),
                              pool.service.bases.at(destination.key), destination.weight});
    }
    add_route(made, pool.service.output);
    declared[pool.service.output].push_back(std::move(made));
  }
}

/// What the kernel has now is not asked: an output that cares looks at what it wrote last.
void OutputTable::add_services(const Config& config,
                               std::map<OutputKind, std::vector<OutputPool>>& declared) {
  if (!config.services) return;
  for (auto const& service : *config.services) {
    if (service.output == OutputKind::ipvs) continue;
    OutputPool made{service.key, service.folder, {}};
    for (auto const& [key, base] : service.bases)
      made.servers.push_back({key, ipvs::string_from_destination_key(key), base, base});
    add_route(made, service.output);
    declared[service.output].push_back(std::move(made));
  }
}

void OutputTable::add_route(const OutputPool& pool, OutputKind kind) {
  auto& route = routes_[pool.service];
  auto const output =
      std::ranges::find_if(outputs_, [&](const Output* one) { return one->kind() == kind; });
  if (output != outputs_.end()) route.output = *output;
  for (auto const& server : pool.servers)
    route.servers.emplace(server.key, server);
}

tl::expected<std::vector<ipvs::ServiceEntry>, ipvs::Error> OutputTable::services() {
  auto const& pools = pools_.entries();
  if (!asks_kernel_) return pools;
  auto all = kernel_.services();
  if (!all) return tl::unexpected(with_hint(std::move(all.error()), !pools.empty()));
  for (auto& entry : *all) {
    if (routes_.contains(entry.service.key)) followed_.show(entry, clock_());
  }
  all->insert(all->end(), pools.begin(), pools.end());
  return all;
}

tl::expected<ipvs::ServiceEntry, ipvs::Error> OutputTable::service(const ipvs::ServiceKey& key) {
  if (key.is_pool()) {
    auto const* const pool = pools_.find(key);
    if (pool == nullptr) return tl::unexpected(ipvs::no_such_service_error(key));
    return *pool;
  }
  auto entry = kernel_.service(key);
  if (entry && routes_.contains(key)) followed_.show(*entry, clock_());
  return entry;
}

std::vector<tl::expected<void, ipvs::Error>> OutputTable::set_weights(
    const ipvs::ServiceKey& key, std::span<const ipvs::WeightWrite> writes) {
  auto const route = routes_.find(key);
  if (route != routes_.end()) return set_weights(key, route->second, writes);
  if (!key.is_pool()) return kernel_.set_weights(key, writes);
  return std::vector<Result>(writes.size(), tl::unexpected(ipvs::no_such_service_error(key)));
}

std::vector<OutputTable::Result> OutputTable::set_weights(
    const ipvs::ServiceKey& key, const Route& route, std::span<const ipvs::WeightWrite> writes) {
  std::vector<Result> results(writes.size());
  std::vector<OutputServer> weights;
  std::vector<std::size_t> positions;  // of each among the writes
  for (std::size_t i = 0; i < writes.size(); ++i) {
    auto const server = route.servers.find(writes[i].as_read.key);
    if (route.output == nullptr) {
      results[i] = tl::unexpected(no_output(key));
    } else if (server == route.servers.end()) {
      results[i] = tl::unexpected(not_listed(key, writes[i].as_read.key));
    } else if (auto fault = fault_of(writes[i].weight, *route.output); !fault.empty()) {
      results[i] = tl::unexpected(refused(std::move(fault)));
    } else {
      weights.push_back(server->second);
      weights.back().weight = writes[i].weight;
      positions.push_back(i);
    }
  }
  if (weights.empty()) return results;
  auto const answers = route.output->apply(key, weights);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    results[positions[i]] = answers.at(i);
    if (answers[i]) remember(key, writes[positions[i]]);
  }
  return results;
}

void OutputTable::remember(const ipvs::ServiceKey& key, const ipvs::WeightWrite& write) {
  DestinationId const id{key, write.as_read.key};
  if (key.is_pool()) {
    pools_.set_weight(id, write.weight);
  } else {
    followed_.wrote(id, write.as_read.weight, write.weight, clock_());
  }
}

std::vector<std::string> OutputTable::notes() const {
  auto notes = followed_.notes();
  auto const now = clock_();
  for (auto const* const output : outputs_)
    std::ranges::move(output->notes(now), std::back_inserter(notes));
  return notes;
}

}  // namespace lvs::monitord
