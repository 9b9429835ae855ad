#include "clustersim/incidents.hpp"

#include <algorithm>

namespace lvs::clustersim {
namespace {

constexpr double ramp_step_s = 0.25;

std::uint32_t number(std::size_t index) {
  return static_cast<std::uint32_t>(index);
}

}  // namespace

Incidents::Incidents(const Scenario& scenario, Plant& plant, Traffic& traffic, Director& director)
    : events_(scenario.events),
      ramp_from_(scenario.events.size()),
      out_(scenario.servers.size()),
      plant_(plant),
      traffic_(traffic),
      director_(director) {
  for (auto const& server : scenario.servers)
    meant_.push_back(server.base);
}

void Incidents::start() {
  for (std::size_t event = 0; event < events_.size(); ++event)
    plant_.timers.set(events_[event].at_s, Timer::Kind::event, number(event));
}

void Incidents::happen(double now, std::size_t event) {
  auto const& what = events_[event];
  if (what.request_mean_s) traffic_.set_request_mean(*what.request_mean_s);
  if (what.server) happen_to(now, *what.server, event);
  director_.changed(now);
}

void Incidents::happen_to(double now, std::size_t server, std::size_t event) {
  auto const& what = events_[event];
  auto& processor = plant_.processors[server];
  if (what.background) processor.set_background(now, *what.background);
  if (what.speed) processor.set_speed(now, *what.speed);
  if (what.memory_used) {
    ramp_from_[event] = processor.memory_used();
    ramp(now, event);
  }
  plant_.touched(server);
  if (what.agent_answers) director_.set_agent_answers(server, *what.agent_answers);
  if (what.weight) operate(server, *what.weight);
  if (what.up) set_up(now, server, *what.up);
}

void Incidents::ramp(double now, std::size_t event) {
  auto const& what = events_[event];
  auto const server = *what.server;
  auto const past = now - what.at_s;
  auto const part = past < what.over_s ? past / what.over_s : 1;
  auto const memory = ramp_from_[event] + part * (*what.memory_used - ramp_from_[event]);
  plant_.processors[server].set_memory_used(now, memory);
  plant_.touched(server);
  if (part < 1) {
    auto const next = std::min(now + ramp_step_s, what.at_s + what.over_s);
    plant_.timers.set(next, Timer::Kind::ramp, number(event));
  }
}

void Incidents::set_up(double now, std::size_t server, bool up) {
  if (plant_.up[server] == up) return;
  plant_.up[server] = up;
  if (up) {
    director_.rebooted(server);
  } else {
    ++plant_.boots[server];
    traffic_.crash(now, server);
  }
  plant_.timers.set(now + health_check_s, Timer::Kind::health, number(server));
}

void Incidents::operate(std::size_t server, std::uint32_t weight) {
  meant_[server] = weight;
  if (out_[server]) return;  // keepalived writes it once the server is up
  for (auto& service : plant_.services) {
    if (auto const destination = service.destination_of(server))
      service.set_weight(*destination, weight);
  }
}

void Incidents::check_health(double now, std::size_t server) {
  bool const out = !plant_.up[server];
  if (out == out_[server]) return;
  out_[server] = out;
  for (auto& service : plant_.services) {
    auto const destination = service.destination_of(server);
    if (!destination) continue;
    if (out) {
      service.take_out(*destination);
    } else {
      service.put_back(*destination, meant_[server]);
    }
  }
  director_.changed(now);
}

}  // namespace lvs::clustersim
