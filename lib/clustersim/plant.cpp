#include "clustersim/plant.hpp"

#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace lvs::clustersim {
namespace {

constexpr std::uint16_t first_port = 80;
constexpr std::uint16_t second_port = 81;
constexpr double eternity = 1e300;

/// Joins the shortest expected queue, which only an oracle can see.
class ShortestQueue : public Scheduler {
 public:
  ShortestQueue(const Plant& plant, std::vector<std::size_t> servers)
      : plant_(plant), servers_(std::move(servers)) {}

  std::optional<std::size_t> pick(const Destinations& destinations,
                                  std::uint32_t /*source*/) override {
    std::optional<std::size_t> best;
    double least = eternity;
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      auto const server = servers_[servers_.size() - 1 - i];  // the newest is first in the list
      if (destinations.weight[i] == 0 || !plant_.up[server]) continue;
      auto const& processor = plant_.processors[server];
      auto const capacity = processor.effective_capacity();
      auto const queue = static_cast<double>(processor.jobs() + 1);
      auto const wait = capacity > 0 ? queue / capacity : eternity / 2;
      if (wait >= least) continue;
      best = i;
      least = wait;
    }
    return best;
  }

 private:
  const Plant& plant_;
  std::vector<std::size_t> servers_;
};

ipvs::ServiceKey key_with_port(std::uint16_t port) {
  ipvs::ServiceKey key;
  key.protocol = ipvs::Protocol::tcp;
  key.address.bytes = {10, 9, 9, 9};
  key.port = port;
  return key;
}

std::vector<std::size_t> all_servers(const Scenario& scenario) {
  std::vector<std::size_t> servers(scenario.servers.size());
  std::iota(servers.begin(), servers.end(), std::size_t{0});
  return servers;
}

}  // namespace

Plant::Plant(const Scenario& scenario, const std::string& scheduler, bool shortest_queue,
             std::size_t clients)
    : up(scenario.servers.size(), true),
      boots(scenario.servers.size()),
      completions(scenario.servers.size()) {
  for (auto const& server : scenario.servers)
    processors.emplace_back(server);
  auto const add = [&](std::uint16_t port, const std::string& name,
                       const std::vector<std::size_t>& servers) {
    VirtualService::Settings settings{key_with_port(port),    name,   servers, {},
                                      scenario.persistence_s, clients};
    for (auto const server : servers)
      settings.weights.push_back(scenario.servers[server].base);
    auto dispatch = shortest_queue ? std::make_unique<ShortestQueue>(*this, servers)
                                   : scheduler_from_name(name);
    services.emplace_back(std::move(settings), std::move(dispatch));
  };
  add(first_port, scheduler, all_servers(scenario));
  if (!scenario.second_service) return;
  auto const& second = *scenario.second_service;
  add(second_port, second.scheduler.empty() ? scheduler : second.scheduler,
      second.servers.empty() ? all_servers(scenario) : second.servers);
}

}  // namespace lvs::clustersim
