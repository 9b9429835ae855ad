#include "clustersim/numbers.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace lvs::clustersim {
namespace {

/// 1, 1/3, 1/5 ...
constexpr auto odd_inverses = [] {
  std::array<double, 11> made{};
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = 1.0 / static_cast<double>(2 * i + 1);
  return made;
}();

/// 1/0!, 1/1!, 1/2! ...; exact products, so that every compiler has the same bits.
constexpr auto inverse_factorials = [] {
  std::array<double, 15> made{};
  double factorial = 1;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (i > 0) factorial *= static_cast<double>(i);
    made[i] = 1.0 / factorial;
  }
  return made;
}();

/// sum of coefficients[i] * x^i.
template <std::size_t Count>
double polynomial(const std::array<double, Count>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = Count; i-- > 0;)
    sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace

double natural_log(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  if (fraction < std::numbers::sqrt2 / 2) {
    fraction *= 2;
    --exponent;
  }
  // ln f = 2 atanh s with s = (f-1)/(f+1); |s| < 0.172, so 11 terms reach below 1e-17.
  double const s = (fraction - 1) / (fraction + 1);
  double const square = s * s;
  return 2 * s * polynomial(odd_inverses, square) + exponent * std::numbers::ln2;
}

double exponential_of(double x) {
  double const doublings = std::round(x / std::numbers::ln2);
  double const rest = x - doublings * std::numbers::ln2;  // |rest| < 0.35
  return std::ldexp(polynomial(inverse_factorials, rest), static_cast<int>(doublings));
}

double sine_of_turns(double turns) {
  double const part = turns - std::round(turns);  // [-0.5, 0.5]
  double const folded = part > 0.25 ? 0.5 - part : part < -0.25 ? -0.5 - part : part;
  double const x = 2 * std::numbers::pi * folded;
  double sum = 1;
  for (int term = 20; term >= 2; term -= 2)
    sum = 1 - sum * x * x / (term * (term + 1));
  return x * sum;
}

}  // namespace lvs::clustersim
