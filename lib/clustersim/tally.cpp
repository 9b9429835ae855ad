#include "clustersim/tally.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lvs::clustersim {
namespace {

constexpr double settled_within = 0.10;
constexpr double share_window_s = 60;
constexpr double ms_per_s = 1000;

std::vector<double> shares_of(const std::vector<double>& parts) {
  auto const sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  std::vector<double> shares;
  shares.reserve(parts.size());
  for (auto const part : parts)
    shares.push_back(sum > 0 ? part / sum : 0);
  return shares;
}

std::vector<double> weight_shares(const SeriesPoint& point) {
  return shares_of({point.weights.begin(), point.weights.end()});
}

bool near_shares(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > settled_within * b[i]) return false;
  }
  return true;
}

double last_event_of(const Scenario& scenario) {
  double last = 0;
  for (auto const& event : scenario.events) {
    if (event.at_s < scenario.duration_s) last = std::max(last, event.at_s + event.over_s);
  }
  return last;
}

}  // namespace

Tally::Tally(const Scenario& scenario, const Plant& plant)
    : warmup_s_(scenario.warmup_s),
      by_server_(plant.processors.size()),
      answered_by_server_(plant.processors.size()),
      busy_before_(plant.processors.size()) {
  for (auto const& service : plant.services)
    interval_.emplace_back(service.size());
}

void Tally::arrived(double at) {
  if (at >= warmup_s_) ++arrived_;
}

void Tally::completed(double began, double now, std::size_t service, std::size_t destination,
                      std::size_t server) {
  auto const latency = now - began;
  auto& mean = interval_[service][destination];
  mean.sum_s += latency;
  ++mean.count;
  ++by_server_[server];
  if (began < warmup_s_) return;
  latencies_.add(latency);
  ++completed_;
  ++answered_by_server_[server];
}

void Tally::failed(double began) {
  if (began >= warmup_s_) ++failed_;
}

void Tally::given_up(double began, double now) {
  if (began < warmup_s_) return;
  ++failed_;
  latencies_.add(now - began);
}

void Tally::cut_short(const std::vector<double>& ages_s) {
  for (auto const age : ages_s)
    latencies_.add(age);
}

void Tally::wrote(double at) {
  if (at >= warmup_s_ && at > 0) ++writes_;
}

void Tally::begin_interval() {
  for (auto& service : interval_)
    std::ranges::fill(service, IntervalMean{});
}

void Tally::cycle_ended(double now, const Plant& plant) {
  auto const count = plant.processors.size();
  auto const& service = plant.services.front();
  SeriesPoint point;
  point.at_s = now;
  point.weights.resize(count);
  point.active.resize(count);
  IntervalMean all;
  for (std::size_t i = 0; i < service.size(); ++i) {
    point.weights[service.server(i)] = service.destinations().weight[i];
    point.active[service.server(i)] = service.destinations().active[i];
    all.sum_s += interval_.front()[i].sum_s;
    all.count += interval_.front()[i].count;
  }
  if (all.count > 0) point.mean_ms = ms_per_s * all.sum_s / static_cast<double>(all.count);
  auto& work = work_.emplace_back();
  for (std::size_t server = 0; server < count; ++server) {
    auto const& processor = plant.processors[server];
    auto const busy = processor.busy_core_seconds(now);
    auto const passed = (now - cycle_before_s_) * processor.cores();
    point.cpu_busy.push_back(std::clamp((busy - busy_before_[server]) / passed, 0.0, 1.0));
    busy_before_[server] = busy;
    work.push_back(processor.work_done(now));
  }
  cycle_before_s_ = now;
  series_.push_back(std::move(point));
}

double Tally::share_error(double duration_s, const Plant& plant) const {
  if (series_.empty()) return 0;
  auto const from = duration_s - std::min(share_window_s, duration_s / 2);
  std::size_t first = 0;
  while (first + 1 < series_.size() && series_[first].at_s < from)
    ++first;
  std::vector<double> work;
  std::vector<double> capacities;
  for (std::size_t server = 0; server < by_server_.size(); ++server) {
    work.push_back(plant.processors[server].work_done(duration_s) - work_[first][server]);
    bool const drained = series_.back().weights[server] == 0;
    capacities.push_back(drained ? 0 : plant.capacity(server));
  }
  auto const done = shares_of(work);
  auto const right = shares_of(capacities);
  double sum = 0;
  for (std::size_t server = 0; server < done.size(); ++server)
    sum += std::abs(done[server] - right[server]);
  return sum / static_cast<double>(done.size());
}

RunResult Tally::result(const Scenario& scenario, const Plant& plant) const {
  RunResult result;
  result.mean_ms = ms_per_s * latencies_.mean();
  result.p50_ms = ms_per_s * latencies_.quantile(0.50);
  result.p95_ms = ms_per_s * latencies_.quantile(0.95);
  result.p99_ms = ms_per_s * latencies_.quantile(0.99);
  result.arrived = arrived_;
  result.completed = completed_;
  result.answered_by_server = answered_by_server_;
  result.failed = failed_;
  result.unfinished = arrived_ - completed_ - failed_;
  double destinations = 0;
  for (auto const& service : plant.services)
    destinations += static_cast<double>(service.size());
  auto const minutes = (scenario.duration_s - scenario.warmup_s) / 60;
  result.writes_per_server_minute =
      minutes > 0 ? static_cast<double>(writes_) / destinations / minutes : 0;
  result.settle_s = settle_time(series_, last_event_of(scenario));
  result.share_error = share_error(scenario.duration_s, plant);
  result.series = series_;
  return result;
}

double settle_time(const std::vector<SeriesPoint>& series, double last_event_s) {
  if (series.empty()) return 0;
  auto const final_shares = weight_shares(series.back());
  auto first = series.size();
  while (first > 0 && near_shares(weight_shares(series[first - 1]), final_shares))
    --first;
  // A change is made at a cycle's end: what a point shows holds from its time on.
  if (first == 0) return 0;
  return std::max(0.0, series[first].at_s - last_event_s);
}

}  // namespace lvs::clustersim
