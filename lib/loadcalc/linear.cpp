#include "loadcalc/linear.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/terms.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double floor_share = 0.01;  ///< of the base; never 0, so that the server is seen to mend

/// Utilisations of something that can be used up; more than the cut-off of one is too much.
std::vector<Term> utilisations_of(const Member& member, const LinearCoefficients& share) {
  std::vector<Term> terms;
  add_term(terms, "CPU", share.cpu, at_most(member.measures->cpu_occupancy, 1.0));
  add_term(terms, "MEM", share.memory, complement(member.measures->free_memory_rate));
  add_term(terms, "NET", share.network, at_most(member.further.network_utilisation, 1.0));
  add_term(terms, "DISK", share.disk, at_most(member.further.disk_utilisation, 1.0));
  return terms;
}

/// Numbers without an end of their own: they weigh, but cut nobody off.
void add_others(std::vector<Term>& terms, const Member& member, const LinearCoefficients& share) {
  add_term(terms, "LOAD", share.load_average, at_most(member.further.load_per_cpu, 1.0));
  add_term(terms, "INPUT", share.connections, at_most(member.input / 2.0, 1.0));
}

/// The first utilisation above the cut-off.
std::string cut_off_by(const std::vector<Term>& utilisations, double cut_off) {
  auto const found = std::ranges::find_if(
      utilisations, [cut_off](const Term& term) { return term.value > cut_off; });
  return found == utilisations.end() ? "" : found->name;
}

void send_to_the_floor(const Pool& pool, const std::vector<std::string>& full,
                       std::vector<Target>& targets) {
  bool some_are_free = false;
  for (std::size_t i = 0; i < targets.size(); ++i)
    some_are_free |= pool.members[i].measures && full[i].empty();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (full[i].empty()) continue;
    targets[i].note = full[i] + (some_are_free ? " above the cut-off: floor"
                                               : " above the cut-off, as all: no floor");
    if (some_are_free) targets[i].weight = floor_share * base_of(pool.members[i]);
  }
}

}  // namespace

std::vector<Target> linear_targets(const Pool& pool, const LinearParameters& parameters) {
  auto const cut_off = sane(parameters.cut_off, 0.0, 1.0, LinearParameters{}.cut_off);
  std::vector<Target> targets(pool.members.size());
  std::vector<std::string> full(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    if (!member.measures) continue;
    auto& target = targets[i];
    target.terms = utilisations_of(member, parameters.coefficients);
    full[i] = cut_off_by(target.terms, cut_off);
    add_others(target.terms, member, parameters.coefficients);
    target.score = weighted_sum(target.terms);
    auto const spare = target.score ? 1.0 - *target.score : 0.0;
    target.weight = base_of(member) * std::max(floor_share, spare);
  }
  send_to_the_floor(pool, full, targets);
  finish_targets(pool, targets);
  return targets;
}

}  // namespace lvs::loadcalc
