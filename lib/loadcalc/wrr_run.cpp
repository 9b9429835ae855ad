#include "loadcalc/wrr_run.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace lvs::loadcalc {

std::uint64_t longest_wrr_run(std::span<const std::uint32_t> weights) {
  std::vector<std::uint32_t> dealt;
  std::copy_if(weights.begin(), weights.end(), std::back_inserter(dealt),
               [](std::uint32_t weight) { return weight > 0; });
  if (dealt.size() < 2) return 0;
  auto const heaviest = std::max_element(dealt.begin(), dealt.end());
  auto const most = *heaviest;
  if (std::count(dealt.begin(), dealt.end(), most) > 1) return 1;
  std::uint32_t step = 0;
  std::uint32_t second = 0;
  for (auto const weight : dealt) {
    step = std::gcd(step, weight);
    if (weight != most) second = std::max(second, weight);
  }
  auto const first_of_second = std::find_if(
      dealt.begin(), dealt.end(), [second](std::uint32_t weight) { return weight >= second; });
  std::uint64_t run = (most - second) / step;
  if (first_of_second == heaviest) ++run;
  if (dealt.back() == most) ++run;
  return run;
}

}  // namespace lvs::loadcalc
