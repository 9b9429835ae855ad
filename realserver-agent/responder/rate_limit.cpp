#include "realserver-agent/responder/rate_limit.hpp"

#include <algorithm>
#include <cstdint>

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
    if (next_free_.size() >= max_sources_) forget_one();
    entry = next_free_.emplace(bucket, now).first;
  }
  const auto next = std::max(entry->second, now) + per_token_;
  if (next - now > depth_) return false;
  entry->second = next;
  return true;
}

void RateLimit::forget_one() {
  next_free_.erase(
      std::ranges::min_element(next_free_, {}, [](const auto& entry) { return entry.second; }));
}

}  // namespace lvs::agent
