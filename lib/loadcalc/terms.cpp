#include "loadcalc/terms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::loadcalc {

namespace {

/// Larger numbers are broken readings; their sum over a pool has to stay finite.
constexpr double largest_number = 1e15;

}  // namespace

std::optional<double> known(std::optional<double> value) {
  if (!value || !(*value >= 0.0) || *value > largest_number) return std::nullopt;
  return value;
}

std::optional<double> at_most(std::optional<double> value, double most) {
  auto const number = known(value);
  return number ? std::optional(std::min(*number, most)) : std::nullopt;
}

std::optional<double> complement(std::optional<double> fraction) {
  auto const number = at_most(fraction, 1.0);
  return number ? std::optional(1.0 - *number) : std::nullopt;
}

double sane(double value, double least, double most, double otherwise) {
  return value >= least && value <= most ? value : otherwise;
}

void add_term(std::vector<Term>& terms, std::string_view name, double coefficient,
              std::optional<double> value) {
  auto const number = known(value);
  bool const counts = coefficient > 0.0 && coefficient <= largest_number;
  if (number && counts) terms.push_back({std::string(name), coefficient, *number});
}

std::optional<double> weighted_sum(std::vector<Term>& terms) {
  double coefficients = 0.0;
  for (auto const& term : terms)
    coefficients += term.coefficient;
  if (!(coefficients > 0.0)) return std::nullopt;
  double sum = 0.0;
  for (auto& term : terms) {
    term.coefficient /= coefficients;
    sum += term.coefficient * term.value;
  }
  return sum;
}

std::optional<double> mean_over_pool(
    const Pool& pool, const std::function<std::optional<double>(const Member&)>& number) {
  std::vector<double> numbers;
  for (auto const& member : pool.members) {
    auto const value = member.measures ? known(number(member)) : std::nullopt;
    if (value && *value > 0.0) numbers.push_back(*value);
  }
  if (numbers.empty()) return std::nullopt;
  // In an order of their own: the sum, to its last digit, is the same for every order of members.
  std::ranges::sort(numbers);
  double sum = 0.0;
  for (auto const value : numbers)
    sum += value;
  return sum / static_cast<double>(numbers.size());
}

std::optional<double> relative(std::optional<double> value, std::optional<double> mean) {
  auto const number = known(value);
  if (!number || !mean || !(*mean > 0.0)) return std::nullopt;
  return *number / *mean;
}

}  // namespace lvs::loadcalc
