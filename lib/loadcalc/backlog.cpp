#include "loadcalc/backlog.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lvs::loadcalc {

namespace {

/// Lower median: of a pair it is the freer one that tells what is normal.
double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double sum_of_shares(std::span<const Queue> queues) {
  double sum = 0.0;
  for (auto const& queue : queues)
    sum += queue.share;
  return sum;
}

/// Arrivals of each member at the level v.
double dealt(const Queue& queue, double backlog, double level, double floor) {
  return std::max(floor * queue.share, level * queue.share - backlog);
}

/// The level v at which all arrivals are dealt, by bisection: the sum grows with it.
double level_of(std::span<const Queue> queues, std::span<const double> backlog, double arrivals,
                double floor) {
  double low = 0.0;
  double high = 0.0;
  for (std::size_t i = 0; i < queues.size(); ++i)
    high = std::max(high, (arrivals + backlog[i]) / queues[i].share);
  for (int step = 0; step < 60; ++step) {
    auto const middle = 0.5 * (low + high);
    double sum = 0.0;
    for (std::size_t i = 0; i < queues.size(); ++i)
      sum += dealt(queues[i], backlog[i], middle, floor);
    (sum < arrivals ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<double> backlogs(std::span<const Queue> queues, double tolerated) {
  std::vector<double> backlog(queues.size());
  if (queues.empty()) return backlog;
  std::vector<double> filling;
  filling.reserve(queues.size());
  for (auto const& queue : queues)
    filling.push_back(queue.active / queue.capacity);
  auto const normal = median(std::move(filling));
  for (std::size_t i = 0; i < queues.size(); ++i) {
    auto const& queue = queues[i];
    auto const usual = normal * queue.capacity;
    // Connections that come and go independently scatter like a Poisson count.
    auto const chance = 3.0 * std::sqrt(usual);
    if (queue.active > usual + std::max(tolerated * queue.capacity, chance)) {
      backlog[i] = queue.active - usual;
    }
  }
  return backlog;
}

std::vector<double> shares_beside_backlogs(std::span<const Queue> queues,
                                           std::span<const double> backlog, double arrivals,
                                           double floor) {
  std::vector<double> shares;
  shares.reserve(queues.size());
  for (auto const& queue : queues)
    shares.push_back(queue.share);
  auto const sum = sum_of_shares(queues);
  if (!(arrivals > 0.0) || !(sum > 0.0) || !std::isfinite(arrivals)) return shares;
  auto const least = std::clamp(floor, 0.0, 1.0) * arrivals / sum;
  auto const level = level_of(queues, backlog, arrivals, least);
  double total = 0.0;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    shares[i] = dealt(queues[i], backlog[i], level, least);
    total += shares[i];
  }
  for (auto& share : shares)
    share *= sum / total;
  return shares;
}

}  // namespace lvs::loadcalc
