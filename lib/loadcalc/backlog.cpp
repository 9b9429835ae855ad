#include "loadcalc/backlog.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lvs::loadcalc {

namespace {

/// Of what a server would have if all were filled alike: in a pool that is nearly full nobody is
/// ended below it.
constexpr double leeway = 1.1;

/// Lower median: of a pair it is the freer one that tells what is normal.
double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double sum_of(std::span<const Queue> queues, double Queue::*number) {
  double sum = 0.0;
  for (auto const& queue : queues)
    sum += queue.*number;
  return sum;
}

/// One member of a pool that is dealt, in connections over the horizon.
struct Hand {
  double share{};
  double backlog{};
  double most{};   ///< that it can take, its backlog included
  double least{};  ///< that it gets whatever waits
};

/// The arrivals that a member gets at the level v.
double dealt(const Hand& hand, double level) {
  return std::max(hand.least, std::min(hand.most, level * hand.share) - hand.backlog);
}

double sum_dealt(std::span<const Hand> hands, double level) {
  double sum = 0.0;
  for (auto const& hand : hands)
    sum += dealt(hand, level);
  return sum;
}

std::vector<Hand> hands_from_queues(std::span<const Queue> queues, std::span<const double> backlog,
                                    const Dealing& dealing) {
  auto const filling = dealing.arrivals / sum_of(queues, &Queue::capacity);
  auto const most = dealing.horizon * std::max(1.0, leeway * filling);
  auto const all = dealing.arrivals * dealing.horizon;
  auto const even = all / sum_of(queues, &Queue::share);
  auto const least = std::clamp(dealing.floor, 0.0, 1.0) * even;
  std::vector<Hand> hands;
  hands.reserve(queues.size());
  for (std::size_t i = 0; i < queues.size(); ++i) {
    auto const& queue = queues[i];
    auto const room = dealing.ends ? most * queue.capacity : all + backlog[i];
    hands.push_back({queue.share, backlog[i], room, least * queue.share});
  }
  return hands;
}

/// True when the shares are right as they are: nobody waits or gets more than it can take.
bool fit(std::span<const Hand> hands, double level) {
  return std::ranges::all_of(hands, [level](const Hand& hand) {
    return !(hand.backlog > 0.0) && level * hand.share <= hand.most;
  });
}

/// The level v at which all arrivals are dealt, by bisection: the sum grows with it. Where nobody
/// can take more before that, the level at which this is so.
double level_of(std::span<const Hand> hands, double arrivals) {
  double low = 0.0;
  double high = 0.0;
  for (auto const& hand : hands)
    high = std::max(high, hand.most / hand.share);
  for (int step = 0; step < 100; ++step) {
    auto const middle = 0.5 * (low + high);
    (sum_dealt(hands, middle) < arrivals ? low : high) = middle;
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
                                           std::span<const double> backlog,
                                           const Dealing& dealing) {
  std::vector<double> shares;
  shares.reserve(queues.size());
  for (auto const& queue : queues)
    shares.push_back(queue.share);
  auto const sum = sum_of(queues, &Queue::share);
  auto const arrivals = dealing.arrivals * dealing.horizon;
  if (!(arrivals > 0.0) || !(sum > 0.0) || !std::isfinite(arrivals)) return shares;
  auto const hands = hands_from_queues(queues, backlog, dealing);
  if (fit(hands, arrivals / sum)) return shares;
  auto const level = level_of(hands, arrivals);
  auto const total = sum_dealt(hands, level);
  if (!(total > 0.0) || !std::isfinite(total)) return shares;
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = dealt(hands[i], level) * (sum / total);
  return shares;
}

}  // namespace lvs::loadcalc
