#include "loadcalc/response.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/terms.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double least_remaining = 0.01;  ///< an exhausted server keeps a weight above 0
constexpr double largest_speed = 4.0;     ///< mean T / T; one odd probe must not take the pool over

std::vector<Term> terms_of(const Member& member, const ResponseCoefficients& share) {
  std::vector<Term> terms;
  add_term(terms, "CPU left", share.cpu, complement(member.measures->cpu_occupancy));
  add_term(terms, "MEM left", share.memory, at_most(member.measures->free_memory_rate, 1.0));
  add_term(terms, "NET left", share.network, complement(member.further.network_utilisation));
  add_term(terms, "DISK left", share.disk, complement(member.further.disk_utilisation));
  return terms;
}

/// Response time of a member that counts in the pool's mean.
std::optional<double> time_of(const Member& member) {
  auto const time = known(member.further.response_s);
  return time && *time > 0.0 ? time : std::nullopt;
}

void fill_remaining(const Pool& pool, const ResponseParameters& parameters,
                    std::vector<Target>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!pool.members[i].measures) continue;
    targets[i].terms = terms_of(pool.members[i], parameters.coefficients);
    targets[i].score =
        std::max(least_remaining, weighted_sum(targets[i].terms).value_or(least_remaining));
  }
}

double mean_score(const std::vector<Target>& targets) {
  std::vector<double> scores;
  for (auto const& target : targets) {
    if (target.score) scores.push_back(*target.score);
  }
  std::ranges::sort(scores);  // the sum is the same for every order of the members
  double sum = 0.0;
  for (auto const score : scores)
    sum += score;
  return scores.empty() ? 1.0 : sum / static_cast<double>(scores.size());
}

}  // namespace

std::vector<Target> response_targets(const Pool& pool, const ResponseParameters& parameters) {
  auto const standing = standings(pool);
  std::vector<Target> targets(pool.members.size());
  fill_remaining(pool, parameters, targets);
  auto const mean_remaining = mean_score(targets);
  auto const mean_time = mean_over_pool(pool, time_of);
  auto const share = sane(parameters.load_share, 0.0, 1.0, ResponseParameters{}.load_share);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    auto& target = targets[i];
    if (!target.score) continue;
    auto real_time = *target.score / mean_remaining;
    auto const time = time_of(member);
    if (time && mean_time) {
      auto const speed = std::clamp(*mean_time / *time, 1.0 / largest_speed, largest_speed);
      real_time = share * real_time + (1.0 - share) * speed;
    }
    target.weight = base_of(member) * real_time;
    if (!time || !mean_time) continue;
    bool const heavy = *time > *mean_time;
    if (heavy) target.weight = std::min(target.weight, standing[i]);
    target.note = heavy ? "heavy: not raised" : "light";
  }
  finish_targets(pool, targets);
  return targets;
}

}  // namespace lvs::loadcalc
