#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ipvs/types.hpp"
#include "realserver-agent/responder/log_limit.hpp"
#include "realserver-agent/responder/rate_limit.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;
using namespace std::chrono_literals;

namespace {

lvs::ipvs::IpAddress address(const std::string& text) {
  return lvs::ipvs::ip_address_from_string(text).value();
}

int taken(RateLimit& limit, const lvs::ipvs::IpAddress& source, std::chrono::nanoseconds now,
          int tries) {
  int count = 0;
  for (int i = 0; i < tries; ++i)
    count += limit.take(source, now) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("rate limit: a full bucket and then as many as trickle in") {
  RateLimit limit{10, 100};
  const auto source = address("10.0.0.1");
  CHECK(taken(limit, source, 100s, 50) == 10);
  CHECK(taken(limit, source, 100s + 99ms, 50) == 0);
  CHECK(taken(limit, source, 100s + 100ms, 50) == 1);
  CHECK(taken(limit, source, 100s + 600ms, 50) == 5);
  CHECK(taken(limit, source, 200s, 50) == 10);
}

TEST_CASE("rate limit: refused requests cost nothing") {
  RateLimit limit{1, 100};
  const auto source = address("10.0.0.1");
  CHECK(taken(limit, source, 1s, 1000) == 1);
  CHECK(taken(limit, source, 2s, 1000) == 1);
}

TEST_CASE("rate limit: sources do not share a bucket but a host's IPv6 addresses do") {
  RateLimit limit{2, 100};
  CHECK(taken(limit, address("10.0.0.1"), 1s, 9) == 2);
  CHECK(taken(limit, address("10.0.0.2"), 1s, 9) == 2);
  CHECK(taken(limit, address("fd00::1"), 1s, 9) == 2);
  CHECK(taken(limit, address("fd00::2"), 1s, 9) == 0);
  CHECK(taken(limit, address("fd00:0:0:1::2"), 1s, 9) == 2);
}

TEST_CASE("rate limit: a flood of sources stays in bounds and shuts nobody out") {
  RateLimit limit{2, 10};
  const auto director = address("192.0.2.1");
  for (int i = 0; i < 200; ++i) {
    const auto now = 1s + i * 10ms;
    CHECK(limit.take(address("10.0.0." + std::to_string(i)), now));
    if (i % 100 == 0) CHECK(limit.take(director, now));
    CHECK(limit.sources() <= 10);
  }
}

TEST_CASE("rate limit: half a million made-up sources fill no more than the table") {
  RateLimit limit{20, 1024};
  lvs::ipvs::IpAddress source = address("2001:db8::1");
  const auto director = address("192.0.2.1");
  std::size_t most = 0;
  std::size_t refused = 0;
  for (std::uint32_t i = 0; i < 500'000; ++i) {
    source.bytes[4] = static_cast<std::uint8_t>(i >> 16U);
    source.bytes[5] = static_cast<std::uint8_t>(i >> 8U);
    source.bytes[6] = static_cast<std::uint8_t>(i);
    const auto now = 1s + i * 10us;
    limit.take(source, now);
    if (i % 100'000 == 0 && !limit.take(director, now)) ++refused;
    most = std::max(most, limit.sources());
  }
  CHECK(most <= 1024);
  CHECK(refused == 0);
}

TEST_CASE("log limit: one line a minute for each kind") {
  LogLimit limit;
  CHECK(limit.count(1, 0s) == std::uint64_t{1});
  CHECK_FALSE(limit.count(1, 1s).has_value());
  CHECK_FALSE(limit.count(1, 59s).has_value());
  CHECK(limit.count(2, 59s) == std::uint64_t{1});
  CHECK(limit.count(1, 60s) == std::uint64_t{3});
  CHECK_FALSE(limit.count(1, 119s).has_value());
  CHECK(limit.count(1, 500s) == std::uint64_t{2});
}
