#include "clustersim/traffic.hpp"

#include <algorithm>
#include <unordered_set>

namespace lvs::clustersim {
namespace {

constexpr std::uint32_t clients_net = 0x0a800000;  // 10.128.0.0
constexpr double none = -1;

}  // namespace

Traffic::Traffic(const Scenario& scenario, std::uint64_t seed, const Workload& workload,
                 Plant& plant, Tally& tally)
    : keepalive_(scenario.keepalive),
      workload_(workload),
      arrivals_(scenario, seed),
      connection_streams_(seed, "connections"),
      plant_(plant),
      tally_(tally),
      next_arrival_(arrivals_.next()) {}

void Traffic::arrive() {
  auto const now = next_arrival_;
  next_arrival_ = arrivals_.next();
  auto random = connection_streams_.child(opened_++);
  auto const service = workload_.service(random);
  auto const client = workload_.client(random);
  auto const destination = plant_.services[service].connect(now, client, clients_net + 1 + client);
  if (!destination) {
    tally_.arrived(now);
    tally_.failed(now);
    return;
  }
  auto const index = place();
  auto const server = plant_.services[service].server(*destination);
  connections_[index] = {none,
                         random,
                         service,
                         static_cast<std::uint32_t>(*destination),
                         static_cast<std::uint32_t>(server),
                         client,
                         std::max(1U, keepalive_.requests),
                         plant_.boots[server]};
  begin_request(now, index);
}

void Traffic::begin_request(double now, std::uint32_t index) {
  auto& connection = connections_[index];
  auto const server = connection.server;
  tally_.arrived(now);
  connection.request_began = now;
  if (!plant_.up[server] || plant_.boots[server] != connection.boot) {
    fail(now, index);
    return;
  }
  auto const work = workload_.cost(connection.service, connection.random);
  plant_.processors[server].add(now, work, index);
  plant_.touched(server);
}

void Traffic::complete() {
  auto const server = plant_.completions.index();
  auto const now = plant_.completions.time();
  auto const index = plant_.processors[server].completed(now);
  plant_.touched(server);
  auto& connection = connections_[index];
  tally_.completed(connection.request_began, now, connection.service, connection.destination,
                   server);
  connection.request_began = none;
  if (--connection.requests_left > 0) {
    plant_.timers.set(now + connection.random.exponential(keepalive_.think_s), Timer::Kind::think,
                      index);
    return;
  }
  plant_.services[connection.service].closed(now, connection.destination, connection.client);
  release(index);
}

void Traffic::think_over(double now, std::uint32_t connection) {
  begin_request(now, connection);
}

void Traffic::crash(double now, std::size_t server) {
  auto const lost = plant_.processors[server].aborted(now);
  plant_.touched(server);
  for (auto const index : lost)
    fail(now, index);
}

void Traffic::fail(double now, std::uint32_t index) {
  tally_.failed(connections_[index].request_began);
  close_broken(now, index);
}

void Traffic::give_up(double now, double patience_s) {
  std::vector<std::unordered_set<std::uint32_t>> late(plant_.processors.size());
  for (std::uint32_t index = 0; index < connections_.size(); ++index) {
    auto const& connection = connections_[index];
    if (connection.request_began == none || now - connection.request_began < patience_s) continue;
    late[connection.server].insert(index);
  }
  for (std::size_t server = 0; server < late.size(); ++server) {
    if (late[server].empty()) continue;
    plant_.processors[server].abandon(now, late[server]);
    plant_.touched(server);
    std::vector<std::uint32_t> ordered(late[server].begin(), late[server].end());
    std::ranges::sort(ordered);
    for (auto const index : ordered) {
      tally_.given_up(connections_[index].request_began, now);
      close_broken(now, index);
    }
  }
}

void Traffic::close_broken(double now, std::uint32_t index) {
  auto const& connection = connections_[index];
  plant_.services[connection.service].reset(now, connection.destination, connection.client);
  release(index);
}

void Traffic::release(std::uint32_t index) {
  connections_[index].request_began = none;
  free_.push_back(index);
}

std::uint32_t Traffic::place() {
  if (free_.empty()) {
    connections_.emplace_back();
    return static_cast<std::uint32_t>(connections_.size() - 1);
  }
  auto const index = free_.back();
  free_.pop_back();
  return index;
}

std::vector<double> Traffic::unfinished_ages(double now, double since) const {
  std::vector<double> ages;
  for (auto const& connection : connections_) {
    if (connection.request_began >= since) ages.push_back(now - connection.request_began);
  }
  return ages;
}

}  // namespace lvs::clustersim
