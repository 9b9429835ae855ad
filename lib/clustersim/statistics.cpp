#include "clustersim/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace lvs::clustersim {
namespace {

// A double's bits without the lower mantissa number the bins: exponent, then 7 bits of mantissa.
constexpr int dropped_bits = 52 - 7;
constexpr double least = 1e-9;
constexpr double most = 1e9;

std::size_t number_of(double seconds) {
  return std::bit_cast<std::uint64_t>(seconds) >> dropped_bits;
}

double middle_of(std::size_t number) {
  auto const lower = std::bit_cast<double>(std::uint64_t{number} << dropped_bits);
  auto const upper = std::bit_cast<double>(std::uint64_t{number + 1} << dropped_bits);
  return (lower + upper) / 2;
}

}  // namespace

void Latencies::add(double seconds) {
  if (bins_.empty()) bins_.resize(number_of(most) - number_of(least) + 1);
  ++bins_[number_of(std::clamp(seconds, least, most)) - number_of(least)];
  ++count_;
  sum_ += seconds;
}

double Latencies::mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

double Latencies::quantile(double part) const {
  if (count_ == 0) return 0;
  auto const wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_)));
  std::uint64_t passed = 0;
  std::size_t bin = 0;
  while (bin + 1 < bins_.size() && (passed += bins_[bin]) < std::max<std::uint64_t>(1, wanted))
    ++bin;
  return middle_of(bin + number_of(least));
}

}  // namespace lvs::clustersim
