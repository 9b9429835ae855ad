#include "clustersim/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clustersim/numbers.hpp"

namespace lvs::clustersim {
namespace {

double mean_of_first(const Scenario& scenario) {
  double share = 0;
  double sum = 0;
  for (auto const& part : scenario.classes) {
    share += part.share;
    sum += part.share * part.mean_s;
  }
  return share > 0 ? sum / share : scenario.request.mean_s;
}

}  // namespace

double mean_request_cost(const Scenario& scenario) {
  auto const first = mean_of_first(scenario);
  if (!scenario.second_service) return first;
  auto const& second = *scenario.second_service;
  return (1 - second.share) * first + second.share * second.request.mean_s;
}

double pool_capacity(const Scenario& scenario) {
  double sum = 0;
  for (auto const& server : scenario.servers)
    sum += server.speed * server.cores;
  return sum / mean_request_cost(scenario);
}

RateCourse::RateCourse(const Scenario& scenario) {
  auto const whole = pool_capacity(scenario);
  auto const start =
      scenario.arrivals_per_s ? *scenario.arrivals_per_s : scenario.load.value_or(0) * whole;
  pieces_.push_back({0, 0, start, start});
  for (auto const& event : scenario.events) {
    if (!event.load) continue;
    auto const from = at(event.at_s);
    pieces_.push_back({event.at_s, event.over_s, from, *event.load * whole});
  }
  current_ = 0;
}

double RateCourse::at(double at_s) {
  while (current_ + 1 < pieces_.size() && pieces_[current_ + 1].begin_s <= at_s)
    ++current_;
  auto const& piece = pieces_[current_];
  auto const past = at_s - piece.begin_s;
  if (past >= piece.over_s) return piece.to;
  return piece.from + (piece.to - piece.from) * past / piece.over_s;
}

double RateCourse::highest() const {
  double most = 0;
  for (auto const& piece : pieces_)
    most = std::max({most, piece.from, piece.to});
  return most;
}

Arrivals::Arrivals(const Scenario& scenario, std::uint64_t seed)
    : course_(scenario),
      burst_(scenario.burst),
      wave_(scenario.wave),
      connections_per_request_(1.0 / std::max(1U, scenario.keepalive.requests)),
      bound_(course_.highest() * connections_per_request_ * (1 + burst_.amplitude) *
             (1 + std::abs(wave_.amplitude))),
      constant_(burst_.amplitude == 0 && wave_.amplitude == 0 &&
                course_.highest() == course_.at(0) &&
                std::ranges::none_of(scenario.events, [](const Event& e) { return bool(e.load); })),
      arrivals_(seed, "arrivals"),
      bursts_(seed, "bursts") {
  high_ = bursts_.uniform() > 0.5;
  burst_ends_ = bursts_.exponential(burst_.dwell_s);
}

double Arrivals::next() {
  if (!(bound_ > 0)) return std::numeric_limits<double>::infinity();
  do {
    now_ += arrivals_.exponential(1 / bound_);
  } while (!constant_ && arrivals_.uniform() * bound_ > rate(now_));
  return now_;
}

double Arrivals::rate(double at_s) {
  auto rate = course_.at(at_s) * connections_per_request_;
  if (burst_.amplitude != 0) {
    advance_burst(at_s);
    rate *= high_ ? 1 + burst_.amplitude : 1 - burst_.amplitude;
  }
  if (wave_.amplitude != 0) {
    rate *= 1 + wave_.amplitude * sine_of_turns(at_s / wave_.period_s);
  }
  return rate;
}

void Arrivals::advance_burst(double at_s) {
  while (burst_ends_ <= at_s) {
    high_ = !high_;
    burst_ends_ += std::max(1e-6, bursts_.exponential(burst_.dwell_s));
  }
}

}  // namespace lvs::clustersim
