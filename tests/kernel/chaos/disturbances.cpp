#include "kernel/chaos/disturbances.hpp"

#include <csignal>

#include "kernel/chaos/settings.hpp"
#include "kernel/director.hpp"
#include "kernel/guest.hpp"

namespace lvs::chaos {
namespace {

std::string device(int server) {
  return "v" + std::to_string(server + 1);
}

}  // namespace

Disturbances::Disturbances(Random& random)
    : random_(random), machines_(servers, LVS_AGENT, LVS_MONITORCTL, guest::Site::namespaces) {
  monitord_ = std::make_unique<guest::Process>(guest::start_monitord(monitord_settings(servers)));
}

void Disturbances::shake() {
  for (int server = 0; server < servers; ++server)
    machines_[server].busy_percent = static_cast<int>(5 + random_() % 91);
}

bool Disturbances::disturb() {
  auto const lot = random_() % 20;
  if (lot == 0) {
    restart_monitord();
    return true;
  }
  if (lot < 3) {
    clock_steps();
  } else if (lot < 10) {
    agent_dies_or_comes_back();
  } else {
    network_gets_bad_or_good();
  }
  return false;
}

void Disturbances::agent_dies_or_comes_back() {
  auto const server = static_cast<int>(random_() % servers);
  auto& dead = dead_.at(static_cast<std::size_t>(server));
  if (dead) {
    machines_.restart_agent(server);
  } else {
    machines_.kill_agent(server);
    ++counts_["agents killed"];
  }
  dead = !dead;
}

void Disturbances::network_gets_bad_or_good() {
  auto const server = static_cast<int>(random_() % servers);
  if (bad_.at(static_cast<std::size_t>(server))) return make_good(server);
  auto const loss = std::to_string(random_() % 60);
  auto const delay = std::to_string(20 + random_() % 400);
  guest::must("tc qdisc replace dev " + device(server) + " root netem delay " + delay +
              "ms 50ms loss " + loss + "% reorder 25% 50%");
  bad_.at(static_cast<std::size_t>(server)) = true;
  ++counts_["bad networks"];
}

void Disturbances::make_good(int server) {
  guest::must("tc qdisc del dev " + device(server) + " root");
  bad_.at(static_cast<std::size_t>(server)) = false;
}

/// Up to an hour forth or back. Nothing may be computed from that clock.
void Disturbances::clock_steps() {
  auto const seconds = static_cast<int>(random_() % 7200) - 3600;
  guest::must("date -s @$(($(date +%s) + " + std::to_string(seconds) + ")) >/dev/null");
  ++counts_["clock steps"];
}

void Disturbances::restart_monitord() {
  (void)monitord_->end(random_() % 2 == 0 ? SIGKILL : SIGTERM);
  *monitord_ = guest::start_monitord(monitord_settings(servers));
  ++counts_["restarts of monitord"];
}

void Disturbances::calm_down() {
  for (int server = 0; server < servers; ++server) {
    auto const index = static_cast<std::size_t>(server);
    if (dead_.at(index)) machines_.restart_agent(server);
    dead_.at(index) = false;
    if (bad_.at(index)) make_good(server);
  }
}

std::string Disturbances::counts() const {
  std::string text;
  for (auto const& [what, count] : counts_)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

}  // namespace lvs::chaos
