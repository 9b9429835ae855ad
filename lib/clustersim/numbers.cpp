#include "clustersim/numbers.hpp"

#include <cmath>
#include <numbers>

namespace lvs::clustersim {

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
  double sum = 0;
  for (int term = 21; term >= 1; term -= 2)
    sum = sum * square + 1.0 / term;
  return 2 * s * sum + exponent * std::numbers::ln2;
}

double exponential_of(double x) {
  double const doublings = std::round(x / std::numbers::ln2);
  double const rest = x - doublings * std::numbers::ln2;  // |rest| < 0.35
  double sum = 1;
  for (int term = 14; term >= 1; --term)
    sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(doublings));
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
