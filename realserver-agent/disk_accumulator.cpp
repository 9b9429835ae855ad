#include "realserver-agent/disk_accumulator.hpp"

#include <algorithm>

namespace lvs::agent {
namespace {

std::uint64_t step(std::uint64_t before, std::uint64_t after) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 32U;
  constexpr std::uint64_t near = wrap / 2;
  if (after >= before) return after - before;
  // A disk that was exchanged starts from 0 as well; only a great value has wrapped.
  return before < wrap && before >= near ? wrap - before + after : 0;
}

}  // namespace

std::uint64_t DiskAccumulator::add(const DiskTimes& disks) {
  std::uint64_t busiest = 0;
  for (const auto& [name, time] : disks) {
    const auto before = last_.find(name);
    if (!started_) {
      busiest = std::max(busiest, time);
    } else if (before != last_.end()) {
      busiest = std::max(busiest, step(before->second, time));
    }
  }
  started_ = true;
  last_ = disks;
  sum_ += busiest;
  return sum_;
}

}  // namespace lvs::agent
