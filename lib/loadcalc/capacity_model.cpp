#include "loadcalc/capacity_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double sigmas = 3.0;
constexpr double least_change = 0.15;
constexpr std::uint32_t disagreements_to_replace = 2;
constexpr double least_brake = 0.05;  ///< so that L stays finite when memory is gone
constexpr double largest_scatter = 100;
constexpr double scatter_smoothing = 0.03;
constexpr double countable = 5;  ///< completions below which a cycle tells nothing about scatter
constexpr double most_completions = 1e12;  ///< of one cycle; more is a broken counter

/// Forgetting is a fraction; anything else would let a sum grow without bound or turn negative.
double fraction(double value) {
  return std::isnan(value) ? 0.0 : std::clamp(value, 0.0, 1.0);
}

double scatter_of(const ServerModel& model) {
  return std::isfinite(model.scatter) ? std::clamp(model.scatter, 1.0, largest_scatter) : 1.0;
}

/// -1: the short window finds less work per load than the long one, 1: more, 0: they agree.
///
/// An exponentially forgotten sum W of counts whose variance is s times their mean has the variance
/// s W / (1 + lambda), hence the relative error sqrt(s / ((1 + lambda) W)); both windows contribute
/// theirs.
int contradiction(const ServerModel& model, const LearningParameters& parameters) {
  if (model.load <= 0.0 || model.work <= 0.0 || model.load_short <= 0.0) return 0;

  auto const expected = model.work / model.load * model.load_short;
  auto const variance =
      scatter_of(model) * (1.0 / ((1.0 + fraction(parameters.lambda_short)) * expected) +
                           1.0 / ((1.0 + fraction(parameters.lambda)) * model.work));
  auto const deviation = model.work_short / expected - 1.0;
  if (!(std::abs(deviation) > std::max(least_change, sigmas * std::sqrt(variance)))) return 0;
  return deviation < 0.0 ? -1 : 1;
}

/// Cycles in a row that contradicted to the same side, the newest one by itself too: one odd cycle
/// lingers in the short window, and the kernel refreshes its counters every 2 s, so that a cycle
/// may see no connections and the next one twice as many. Neither is a change of the server.
std::uint32_t disagreements(const ServerModel& before, const ServerModel& after,
                            const ServerStep& step, const LearningParameters& parameters) {
  auto const side = contradiction(after, parameters);
  if (side == 0) return 0;
  auto const expected = after.work / after.load * load_caused(step.measures, parameters);
  bool const same_side = side < 0 ? step.completed < expected : step.completed > expected;
  if (!same_side) return 0;
  return contradiction(before, parameters) == side ? before.disagreements + 1 : 1;
}

void smooth_composite(ServerModel& model, double composite, double smoothing) {
  if (!std::isfinite(composite)) return;
  auto const newest = std::clamp(composite, 0.0, 1.0);
  auto const share = model.samples == 0 ? 1.0 : fraction(smoothing);
  model.composite += share * (newest - model.composite);
  if (model.samples < std::numeric_limits<std::uint32_t>::max()) ++model.samples;
}

void add_to_windows(ServerModel& model, double completed, double load,
                    const LearningParameters& parameters) {
  auto const lambda = fraction(parameters.lambda);
  auto const lambda_short = fraction(parameters.lambda_short);
  model.work = lambda * model.work + completed;
  model.load = lambda * model.load + load;
  model.work_short = lambda_short * model.work_short + completed;
  model.load_short = lambda_short * model.load_short + load;
}

/// How far this cycle was from what the long window expected, squared, over the expectation.
void learn_scatter(ServerModel& next, const ServerModel& before, double completed, double load) {
  if (!(before.load > 0.0) || !(before.work > 0.0)) return;
  auto const expected = before.work / before.load * load;
  if (!(expected >= countable)) return;
  auto const deviation = completed - expected;
  auto const seen = std::min(largest_scatter, deviation * deviation / expected);
  next.scatter = scatter_of(before) + scatter_smoothing * (seen - scatter_of(before));
}

}  // namespace

double load_caused(const Measures& measures, const LearningParameters& parameters) {
  if (std::isnan(measures.cpu_occupancy) || std::isnan(measures.free_memory_rate)) return 0.0;
  auto const cpu = std::clamp(measures.cpu_occupancy, 0.0, 1.0);
  if (!(parameters.memory_brake > 0.0)) return cpu;
  auto const free_memory = std::clamp(measures.free_memory_rate, 0.0, 1.0);
  return cpu / std::clamp(free_memory / parameters.memory_brake, least_brake, 1.0);
}

double relative_error(const ServerModel& model, const LearningParameters& parameters) {
  if (!(model.work > 0.0)) return 1.0;
  return std::min(
      1.0, std::sqrt(scatter_of(model) / ((1.0 + fraction(parameters.lambda)) * model.work)));
}

ServerModel learned(const ServerModel& model, const ServerStep& step,
                    const LearningParameters& parameters) {
  auto next = model;
  next.previous = model.latest;
  next.latest = step.measures;
  smooth_composite(next, step.composite, parameters.smoothing);
  // Below 0 is sensible: active connections are live, the counter of new ones is up to 2 s old.
  // What a cycle owes the next one pays back, so the sum is right and only the sum is floored.
  bool const sensible = std::abs(step.completed) <= most_completions;
  if (!step.learn || !sensible) return next;

  auto const load = load_caused(step.measures, parameters);
  learn_scatter(next, model, step.completed, load);
  add_to_windows(next, step.completed, load, parameters);

  next.disagreements = disagreements(model, next, step, parameters);
  if (next.disagreements >= disagreements_to_replace) {
    next.work = std::max(0.0, next.work_short);
    next.load = next.load_short;
    next.disagreements = 0;
  }
  return next;
}

}  // namespace lvs::loadcalc
