// The kernel's side: entries that outlive connections, counters that lag, templates.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clustersim/persistence.hpp"
#include "clustersim/virtual_service.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Persistence;
using lvs::clustersim::scheduler_from_name;
using lvs::clustersim::VirtualService;

VirtualService service_of(std::vector<std::uint32_t> weights, double persistence_s = 0,
                          const std::string& scheduler = "rr") {
  VirtualService::Settings settings;
  settings.scheduler = scheduler;
  settings.key.port = 80;
  for (std::size_t server = 0; server < weights.size(); ++server)
    settings.servers.push_back(server);
  settings.weights = std::move(weights);
  settings.persistence_s = persistence_s;
  settings.clients = 10;
  return {std::move(settings), scheduler_from_name(scheduler)};
}

TEST_CASE("virtual service: the table lists the newest destination first") {
  auto service = service_of({1, 2, 3});
  auto const& entry = service.entry(0);
  REQUIRE(entry.destinations.size() == 3);
  CHECK(lvs::ipvs::string_from_destination_key(entry.destinations[0].key) == "10.0.0.3:80");
  CHECK(entry.destinations[0].weight == 3);
  CHECK(service.server(0) == 2);
  CHECK(service.destination_of(2) == 0);
  CHECK_FALSE(service.destination_of(3));
}

TEST_CASE("virtual service: a closed connection stays inactive for TIME_WAIT") {
  auto service = service_of({1});
  CHECK(service.connect(0, 0, 0) == 0);
  CHECK(service.connect(0, 1, 1) == 0);
  CHECK(service.entry(1).destinations[0].active_connections == 2);
  service.closed(1, 0, 0);
  service.reset(2, 0, 1);
  CHECK(service.entry(3).destinations[0].active_connections == 0);
  CHECK(service.entry(3).destinations[0].inactive_connections == 2);
  CHECK(service.entry(11.9).destinations[0].inactive_connections == 2);
  CHECK(service.entry(12).destinations[0].inactive_connections == 1);
  CHECK(service.entry(120.9).destinations[0].inactive_connections == 1);
  CHECK(service.entry(121).destinations[0].inactive_connections == 0);
}

TEST_CASE("virtual service: totals are of the estimator's last tick") {
  auto service = service_of({1});
  service.connect(0, 0, 0);
  CHECK(service.entry(1).destinations[0].statistics.connections == 0);
  service.refresh_counters();
  service.connect(1, 0, 0);
  CHECK(service.entry(2).destinations[0].statistics.connections == 1);
  CHECK(service.connections(0) == 2);
}

TEST_CASE("virtual service: without weight connections are refused") {
  auto service = service_of({0, 0});
  CHECK_FALSE(service.connect(0, 0, 0));
  CHECK(service.connections(0) == 0);
}

TEST_CASE("persistence: a client stays until its timeout after its last new connection") {
  Persistence templates(50, 2);
  CHECK_FALSE(templates.find(0, 0));
  templates.opened(0, 0, 3);
  templates.closed(0, 0);
  CHECK(templates.find(49, 0) == 3);
  templates.opened(49, 0, 3);
  templates.closed(0, 49);
  CHECK(templates.find(98, 0) == 3);
  CHECK_FALSE(templates.find(99, 0));
  CHECK_FALSE(templates.find(0, 1));
}

TEST_CASE("persistence: a template that controls entries lives on a minute at a time") {
  Persistence templates(50, 1);
  templates.opened(0, 0, 1);
  CHECK(templates.find(500, 0) == 1);  // open: 50, 110, ... 530
  templates.closed(0, 500 + 120);
  CHECK(templates.find(529, 0) == 1);
  CHECK(templates.find(589, 0) == 1);  // at 530 the entry is still in TIME_WAIT
  CHECK(templates.find(649, 0) == 1);  // at 590 too
  CHECK_FALSE(templates.find(650, 0));
}

TEST_CASE("persistence: an operator's weight 0 keeps clients and keepalived's does not") {
  auto service = service_of({1, 1}, 60);
  auto const chosen = service.connect(0, 7, 7);
  REQUIRE(chosen);
  service.set_weight(*chosen, 0);
  CHECK(service.connect(1, 7, 7) == chosen);
  CHECK(service.connect(1, 8, 8) == 1 - *chosen);
  service.take_out(*chosen);
  CHECK(service.connect(2, 7, 7) == 1 - *chosen);
  service.put_back(*chosen, 5);
  CHECK(service.destinations().weight[*chosen] == 5);
  CHECK(service.connect(3, 7, 7) == 1 - *chosen);
}

}  // namespace
