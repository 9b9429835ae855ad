#include "clustersim/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lvs::clustersim {
namespace {

constexpr std::array round_digits{1.0, 2.0, 5.0, 10.0};

/// 1, 2 or 5 times a power of ten, at least `value` > 0.
double round_up(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : round_digits) {
    // What was rounded before must not be rounded up again.
    if (digit * decade >= value * (1 - 1e-9)) return digit * decade;
  }
  return 10 * decade;
}

/// 1, 2 or 5 times a power of ten, at most `value` > 0.
double round_down(double value) {
  return 1 / round_up(1 / value);
}

std::vector<double> steps(double least, double most, double step) {
  std::vector<double> ticks;
  const double first = std::ceil(least / step - 1e-9);
  for (double number = first; number * step <= most + step * 1e-9; ++number)
    ticks.push_back(number * step + 0.0);  // no -0
  return ticks;
}

}  // namespace

Axis::Axis(Scale scale, double least, double most, std::vector<double> ticks)
    : scale_{scale}, least_{least}, most_{most}, ticks_{std::move(ticks)} {}

Axis Axis::from_zero(double most) {
  constexpr int wanted_ticks = 4;
  const double step = round_up(std::max(most, 1e-9) / wanted_ticks);
  const double end = step * std::ceil(std::max(most, 1e-9) / step - 1e-9);
  return {Scale::linear, 0, end, steps(0, end, step)};
}

Axis Axis::over(double least, double most, int ticks) {
  const double span = std::max(most - least, 1e-9);
  return {Scale::linear, least, least + span, steps(least, least + span, round_up(span / ticks))};
}

Axis Axis::logarithmic(double least, double most) {
  const double bottom = round_down(least);
  const double top = std::max(round_up(most), bottom * 2);
  std::vector<double> ticks;
  const bool few_decades = top / bottom <= 1000;
  const int first = static_cast<int>(std::floor(std::log10(bottom) + 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(top) + 1e-9));
  for (int power = first; power <= last; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, power);
      const bool inside = value >= bottom * (1 - 1e-9) && value <= top * (1 + 1e-9);
      if (inside && (digit == 1.0 || few_decades)) ticks.push_back(value);
    }
  }
  return {Scale::logarithmic, bottom, top, std::move(ticks)};
}

Axis Axis::at(double first_pixel, double last_pixel) const {
  Axis placed = *this;
  placed.first_pixel_ = first_pixel;
  placed.last_pixel_ = last_pixel;
  return placed;
}

double Axis::pixel(double value) const {
  const double inside = std::clamp(value, least_, most_);
  const double part = scale_ == Scale::linear
                          ? (inside - least_) / (most_ - least_)
                          : std::log(inside / least_) / std::log(most_ / least_);
  return first_pixel_ + part * (last_pixel_ - first_pixel_);
}

std::string tick_text(double value) {
  constexpr double thousands = 10'000;
  if (value >= thousands) return fmt::format("{:g}k", value / 1000);
  return fmt::format("{:.4g}", value);
}

}  // namespace lvs::clustersim
