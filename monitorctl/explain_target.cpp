// The arithmetic from what a strategy knows to the integer that it wants.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "monitorctl/number_text.hpp"
#include "monitorctl/status_text.hpp"

namespace lvs::monitorctl {
namespace {

/// Numbers in the document are exact; what people read has four digits.
bool is_near(double one, double other) {
  return std::abs(one - other) <= 1e-3 * std::max(std::abs(one), std::abs(other));
}

bool is_measured(const DestinationStatus& one) {
  return one.wish && one.cpu_busy && one.mem_available;
}

/// What `capacity` deals the pool out by (loadcalc/capacity.hpp, without the factor that all have).
double worth_of(const DestinationStatus& one) {
  const double base = std::max(1.0, static_cast<double>(one.base.value_or(1)));
  const double exponent = one.ratio_exponent.value_or(1);
  return std::pow(base, 1 - exponent) * std::pow(one.capacity.value_or(0), exponent) *
         one.correction.value_or(1);
}

/// Of the members that were asked.
struct PoolSums {
  double worth{};
  double current{};
};

PoolSums sums_of(const ServiceStatus& service) {
  PoolSums sums;
  for (const auto& one : service.destinations) {
    if (!is_measured(one)) continue;
    sums.worth += worth_of(one);
    sums.current += static_cast<double>(one.current.value_or(0));
  }
  return sums;
}

std::string capacity_wish(const ServiceStatus& service, const DestinationStatus& one) {
  const auto sums = sums_of(service);
  const double worth = worth_of(one);
  const double dealt = sums.worth > 0 ? worth / sums.worth * sums.current : 0;
  const double exponent = one.ratio_exponent.value_or(1);
  auto way = fmt::format(
      "base^(1-e) * capacity^e * correction = {}^{:.2f} * {:.4g}^{:.2f} * {:.3f} = {:.4g}; over "
      "the pool's {:.4g}, times its weights' sum {:.0f}: {:.4g}",
      one.base.value_or(1), 1 - exponent, *one.capacity, exponent, one.correction.value_or(1),
      worth, sums.worth, sums.current, dealt);
  if (is_near(dealt, *one.wish)) return way;
  if (one.current && is_near(*one.wish, static_cast<double>(*one.current))) {
    return fmt::format("{}; the evidence cannot tell that from the weight that is there: {:.4g}",
                       way, *one.wish);
  }
  return fmt::format("{}; wanted is {:.4g}", way, *one.wish);
}

std::string score_text(const DestinationStatus& one) {
  std::string sum;
  for (const auto& term : one.terms)
    sum += fmt::format("{}{:.3g}*{:.3f} {}", sum.empty() ? "" : " + ", term.coefficient, term.value,
                       term.name);
  return fmt::format("{}{}{:.3f}", sum, sum.empty() ? "" : " = ", *one.score);
}

std::string wish_text(const ServiceStatus& service, const DestinationStatus& one) {
  if (one.capacity.value_or(0) > 0) return capacity_wish(service, one);
  return fmt::format("{:.4g}", *one.wish);
}

std::string scaled_text(const ServiceStatus& service, const DestinationStatus& one) {
  if (is_near(*one.eased, *one.scaled)) return fmt::format("{:.4g}, as it is", *one.scaled);
  double eased = 0;
  double current = 0;
  for (const auto& other : service.destinations) {
    if (!other.eased) continue;
    eased += *other.eased;
    current += static_cast<double>(other.current.value_or(0));
  }
  const double dealt = eased > 0 ? *one.eased / eased * current : 0;
  auto text = fmt::format("{:.4g} over the pool's {:.4g}, times its weights' sum {:.0f}: {:.4g}",
                          *one.eased, eased, current, dealt);
  if (!is_near(dealt, *one.scaled)) {
    text += fmt::format("; within one step: {:.4g}", *one.scaled);
  }
  return text;
}

/// Of all that are steered, in their order: only together do integers make sense.
std::string integers_text(const ServiceStatus& service, const DestinationStatus& one) {
  std::string scaled;
  std::string integers;
  for (const auto& other : service.destinations) {
    if (!other.scaled || !other.target) continue;
    const auto* const separator = scaled.empty() ? "" : ":";
    scaled += fmt::format("{}{:.4g}", separator, *other.scaled);
    integers += fmt::format("{}{}", separator, *other.target);
  }
  constexpr std::size_t longest = 60;
  if (scaled.size() > longest) return fmt::format("{:.4g} -> {}", *one.scaled, *one.target);
  return fmt::format("the pool's {} become {}: here {}", scaled, integers, *one.target);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> way_to_target(
    const ServiceStatus& service, const DestinationStatus& destination) {
  std::vector<std::pair<std::string, std::string>> way;
  if (!destination.strategy.empty()) way.emplace_back("strategy", destination.strategy);
  if (destination.score) way.emplace_back("score", score_text(destination));
  if (!destination.wish || !destination.eased || !destination.scaled || !destination.target) {
    return way;
  }
  way.emplace_back("wish", wish_text(service, destination));
  if (!is_near(*destination.wish, *destination.eased)) {
    way.emplace_back("eased",
                     fmt::format("{:.4g} -> {:.4g}: {}", *destination.wish, *destination.eased,
                                 destination.note.empty() ? "slow start, or what others cannot take"
                                                          : destination.note));
  } else if (!destination.note.empty()) {
    way.emplace_back("note", destination.note);
  }
  way.emplace_back("scaled", scaled_text(service, destination));
  way.emplace_back("integers", integers_text(service, destination));
  return way;
}

}  // namespace lvs::monitorctl
