#include "clustersim/virtual_service.hpp"

#include <algorithm>
#include <utility>

namespace lvs::clustersim {
namespace {

constexpr std::uint32_t servers_net = 0x0a000000;  // 10.0.0.0

std::uint32_t ipv4_of(std::size_t server) {
  auto const number = static_cast<std::uint32_t>(server);
  return servers_net + ((number / 250) << 8U) + number % 250 + 1;
}

}  // namespace

ipvs::IpAddress server_address(std::size_t server) {
  ipvs::IpAddress address;
  auto const ipv4 = ipv4_of(server);
  for (unsigned byte = 0; byte < 4; ++byte) {
    address.bytes[byte] = static_cast<std::uint8_t>(ipv4 >> (24 - 8 * byte));
  }
  return address;
}

VirtualService::VirtualService(Settings settings, std::unique_ptr<Scheduler> scheduler)
    : scheduler_(std::move(scheduler)), persistence_(settings.persistence_s, settings.clients) {
  entry_.service.key = settings.key;
  entry_.service.scheduler = std::move(settings.scheduler);
  entry_.service.netmask = 0xffffffff;
  if (persistence_.enabled()) {
    entry_.service.flags = ipvs::service_flag::persistent;
    entry_.service.timeout_s = static_cast<std::uint32_t>(settings.persistence_s);
  }
  destinations_.port = settings.key.port;
  for (std::size_t i = 0; i < settings.servers.size(); ++i)
    add(settings.servers[i], settings.weights[i]);
}

void VirtualService::add(std::size_t server, std::uint32_t weight) {
  servers_.insert(servers_.begin(), server);
  destinations_.weight.insert(destinations_.weight.begin(), weight);
  destinations_.last_weight.insert(destinations_.last_weight.begin(), weight);
  destinations_.active.insert(destinations_.active.begin(), 0);
  destinations_.inactive.insert(destinations_.inactive.begin(), 0);
  destinations_.address.insert(destinations_.address.begin(), ipv4_of(server));
  connections_.insert(connections_.begin(), 0);
  taken_out_.insert(taken_out_.begin(), false);
  ipvs::Destination made;
  made.key = {server_address(server), destinations_.port};
  entry_.destinations.insert(entry_.destinations.begin(), made);
  scheduler_->edited(destinations_);
}

std::optional<std::size_t> VirtualService::connect(double now, std::uint32_t client,
                                                   std::uint32_t source) {
  auto chosen = persistence_.find(now, client);
  if (chosen && taken_out_[*chosen]) {
    persistence_.forget(client);
    chosen.reset();
  }
  if (!chosen) {
    expire(now);
    chosen = scheduler_->pick(destinations_, source);
  }
  if (!chosen) return std::nullopt;
  ++destinations_.active[*chosen];
  ++connections_[*chosen];
  persistence_.opened(now, client, *chosen);
  return chosen;
}

void VirtualService::closed(double now, std::size_t destination, std::uint32_t client) {
  end(destination, client, now + time_wait_s, time_wait_);
}

void VirtualService::reset(double now, std::size_t destination, std::uint32_t client) {
  end(destination, client, now + close_s, close_);
}

void VirtualService::end(std::size_t destination, std::uint32_t client, double gone_at,
                         std::deque<Leftover>& queue) {
  --destinations_.active[destination];
  ++destinations_.inactive[destination];
  queue.push_back({gone_at, static_cast<std::uint32_t>(destination)});
  persistence_.closed(client, gone_at);
}

void VirtualService::expire(double now) {
  for (auto* const queue : {&time_wait_, &close_}) {
    while (!queue->empty() && queue->front().gone_at <= now) {
      --destinations_.inactive[queue->front().destination];
      queue->pop_front();
    }
  }
}

void VirtualService::set_weight(std::size_t destination, std::uint32_t weight) {
  destinations_.weight[destination] = weight;
  if (weight > 0) destinations_.last_weight[destination] = weight;
  scheduler_->edited(destinations_);
}

void VirtualService::take_out(std::size_t destination) {
  taken_out_[destination] = true;
  set_weight(destination, 0);
}

void VirtualService::put_back(std::size_t destination, std::uint32_t weight) {
  taken_out_[destination] = false;
  set_weight(destination, weight);
}

void VirtualService::refresh_counters() {
  for (std::size_t i = 0; i < size(); ++i) {
    auto& counted = entry_.destinations[i].statistics;
    // Not the real numbers, but they move when real ones would: an open connection is not silent.
    counted.in_packets += connections_[i] - counted.connections + destinations_.active[i];
    counted.connections = connections_[i];
  }
}

const ipvs::ServiceEntry& VirtualService::entry(double now) {
  expire(now);
  for (std::size_t i = 0; i < size(); ++i) {
    auto& shown = entry_.destinations[i];
    shown.weight = destinations_.weight[i];
    shown.active_connections = destinations_.active[i];
    shown.inactive_connections = destinations_.inactive[i];
  }
  return entry_;
}

std::optional<std::size_t> VirtualService::destination_of(std::size_t server) const {
  auto const found = std::ranges::find(servers_, server);
  if (found == servers_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - servers_.begin());
}

}  // namespace lvs::clustersim
