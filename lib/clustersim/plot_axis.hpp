#pragma once

// Axes: from values to pixels, and the round numbers that are written beside them.

#include <string>
#include <vector>

namespace lvs::clustersim {

class Axis {
 public:
  enum class Scale { linear, logarithmic };

  /// A linear axis from 0 to a round number that is at least `most`.
  static Axis from_zero(double most);
  /// A linear axis over exactly this range, with room for about `ticks` of them.
  static Axis over(double least, double most, int ticks);
  /// A logarithmic axis from a round number to a round number; both values are above 0.
  static Axis logarithmic(double least, double most);

  /// Where the pixels of the axis begin and end; they may run backwards.
  Axis at(double first_pixel, double last_pixel) const;

  /// Values beyond the axis are drawn at its end.
  [[nodiscard]] double pixel(double value) const;
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }

 private:
  Axis(Scale scale, double least, double most, std::vector<double> ticks);

  Scale scale_;
  double least_, most_;
  std::vector<double> ticks_;
  double first_pixel_{0}, last_pixel_{1};
};

/// "0.05", "20", "1500", "20k": short enough for an axis.
std::string tick_text(double value);

}  // namespace lvs::clustersim
