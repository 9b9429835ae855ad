#include "loadcalc/feedback.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/terms.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double largest_term = 10.0;  ///< one runaway term must not drown the others
constexpr double largest_setting = 1e6;

/// A utilisation in [0,1] as a multiple of the right one.
std::optional<double> term_of(std::optional<double> utilisation, double right, double otherwise) {
  auto const number = at_most(utilisation, 1.0);
  if (!number) return std::nullopt;
  return at_most(*number / sane(right, 1e-3, 1.0, otherwise), largest_term);
}

/// What PROC and RESPONSE are compared with.
struct Means {
  std::optional<double> processes{}, response{};
};

Means means_of(const Pool& pool) {
  return {mean_over_pool(pool, [](const Member& member) { return member.further.processes; }),
          mean_over_pool(pool, [](const Member& member) { return member.further.response_s; })};
}

std::vector<Term> terms_of(const Member& member, const Means& means,
                           const FeedbackParameters& parameters) {
  FeedbackParameters const standard;
  auto const& share = parameters.coefficients;
  auto const& further = member.further;
  std::vector<Term> terms;
  add_term(terms, "INPUT", share.input, at_most(member.input, largest_term));
  add_term(terms, "CPU", share.cpu,
           term_of(member.measures->cpu_occupancy, parameters.cpu_right, standard.cpu_right));
  add_term(terms, "MEM", share.memory,
           term_of(complement(member.measures->free_memory_rate), parameters.memory_right,
                   standard.memory_right));
  add_term(terms, "DISK", share.disk,
           term_of(further.disk_utilisation, parameters.disk_right, standard.disk_right));
  add_term(terms, "PROC", share.processes,
           at_most(relative(further.processes, means.processes), largest_term));
  add_term(terms, "RESPONSE", share.response,
           at_most(relative(further.response_s, means.response), largest_term));
  return terms;
}

double step_for(double aggregate, const FeedbackParameters& parameters) {
  FeedbackParameters const standard;
  auto const set_point = sane(parameters.set_point, 0.0, largest_setting, standard.set_point);
  auto const dead_band = sane(parameters.dead_band, 0.0, largest_setting, standard.dead_band);
  auto const distance = set_point - aggregate;
  // The cube root is steepest at 0: without the band the weight swings round its fixed point.
  if (std::abs(distance) <= dead_band) return 0.0;
  return sane(parameters.step, 0.0, largest_setting, standard.step) * std::cbrt(distance);
}

/// Where a member starts may be below its base on the kernel's scale; lifted all together, so that
/// the floor does not change their ratios.
double lift_for(const Pool& pool, const std::vector<double>& standing) {
  double lift = 1.0;
  for (std::size_t i = 0; i < standing.size(); ++i) {
    auto const& member = pool.members[i];
    if (member.standing) return 1.0;
    if (member.measures) lift = std::max(lift, base_of(member) / standing[i]);
  }
  return lift;
}

}  // namespace

std::vector<Target> feedback_targets(const Pool& pool, const FeedbackParameters& parameters) {
  auto standing = standings(pool);
  auto const lift = lift_for(pool, standing);
  for (auto& weight : standing)
    weight *= lift;
  auto const means = means_of(pool);
  auto const scale = sane(parameters.scale, 1.0, largest_setting, FeedbackParameters{}.scale);
  std::vector<Target> targets(pool.members.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    if (!member.measures) continue;
    auto& target = targets[i];
    target.terms = terms_of(member, means, parameters);
    target.score = weighted_sum(target.terms);
    auto const step = target.score ? step_for(*target.score, parameters) : 0.0;
    auto const base = base_of(member);
    target.weight = std::clamp(standing[i] + step, base, scale * base);
  }
  finish_targets(pool, targets);
  return targets;
}

PoolSignal feedback_signal(const std::vector<Target>& targets,
                           const FeedbackParameters& parameters) {
  bool overloaded = true;
  bool idle = true;
  bool seen = false;
  for (auto const& target : targets) {
    if (!target.score) continue;
    seen = true;
    overloaded &= *target.score > parameters.set_point;
    idle &= *target.score < parameters.idle;
  }
  if (!seen || overloaded == idle) return PoolSignal::none;
  return overloaded ? PoolSignal::overloaded : PoolSignal::idle;
}

}  // namespace lvs::loadcalc
