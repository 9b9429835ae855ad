#include "realserver-agent/responder/rate_limit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lvs::agent {
namespace {

ipvs::IpAddress bucket_of(ipvs::IpAddress source) {
  constexpr std::size_t network_bytes = 8;
  if (source.family == ipvs::Family::inet6) {
    std::fill(source.bytes.begin() + network_bytes, source.bytes.end(), std::uint8_t{0});
  }
  return source;
}

}  // namespace

RateLimit::RateLimit(unsigned per_second, std::size_t max_sources)
    : per_token_{std::chrono::nanoseconds{std::chrono::seconds{1}} / per_second},
      depth_{per_token_ * per_second},
      max_sources_{max_sources} {}

bool RateLimit::take(const ipvs::IpAddress& source, std::chrono::nanoseconds now) {
  const ipvs::IpAddress bucket = bucket_of(source);
  auto entry = next_free_.find(bucket);
  if (entry == next_free_.end()) {
    if (next_free_.size() >= max_sources_) forget_half();
    entry = next_free_.emplace(bucket, now).first;
  }
  const auto next = std::max(entry->second, now) + per_token_;
  if (next - now > depth_) return false;
  entry->second = next;
  return true;
}

void RateLimit::forget_half() {
  std::vector<std::chrono::nanoseconds> times;
  times.reserve(next_free_.size());
  for (const auto& [source, time] : next_free_)
    times.push_back(time);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  // Counted, for many may have waited equally long.
  std::size_t left = std::max<std::size_t>(1, times.size() / 2);
  std::erase_if(next_free_, [&](const auto& entry) {
    if (left == 0 || entry.second > *middle) return false;
    --left;
    return true;
  });
}

}  // namespace lvs::agent
