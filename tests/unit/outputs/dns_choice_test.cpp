#include "monitord/outputs/dns_choice.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

using Servers = std::vector<OutputServer>;
constexpr auto v4 = ipvs::Family::inet;
constexpr auto v6 = ipvs::Family::inet6;

OutputServer server(std::string_view key, std::uint32_t base, std::uint32_t weight) {
  return {destination_key(key), "", base, weight};
}

/// How often each is chosen when every chance comes once.
std::array<int, 3> counted(const Servers& servers, DnsChoice choice, int chances) {
  std::array<int, 3> counts{};
  for (int chance = 0; chance < chances; ++chance) {
    auto const chosen = chosen_server(servers, v4, choice, static_cast<std::uint64_t>(chance));
    REQUIRE(chosen.has_value());
    ++counts.at(*chosen);
  }
  return counts;
}

}  // namespace

TEST_CASE("dns choice: of nobody, or of nobody with a weight, none") {
  auto const choice = GENERATE(DnsChoice::weighted, DnsChoice::best);
  CHECK_FALSE(chosen_server({}, v4, choice, 7).has_value());
  Servers const drained{server("10.0.0.11:80", 100, 0)};
  CHECK_FALSE(chosen_server(drained, v4, choice, 7).has_value());
  Servers const other{server("10.0.0.11:80", 100, 5)};
  CHECK_FALSE(chosen_server(other, v6, choice, 7).has_value());
}

TEST_CASE("dns choice: each family among its own") {
  auto const choice = GENERATE(DnsChoice::weighted, DnsChoice::best);
  Servers const mixed{server("10.0.0.11:80", 100, 1), server("[fd00::11]:80", 100, 1)};
  auto const chance = GENERATE(std::uint64_t{0}, 1, std::numeric_limits<std::uint64_t>::max());
  CHECK(chosen_server(mixed, v4, choice, chance) == 0U);
  CHECK(chosen_server(mixed, v6, choice, chance) == 1U);
}

TEST_CASE("dns choice: by chance each as often as its share of the weights") {
  Servers const servers{server("10.0.0.11:80", 100, 10), server("10.0.0.12:80", 100, 0),
                        server("10.0.0.13:80", 100, 30)};
  CHECK(counted(servers, DnsChoice::weighted, 400) == std::array<int, 3>{100, 0, 300});
}

TEST_CASE("dns choice: large weights do not overflow") {
  Servers const servers{server("10.0.0.11:80", 1, 65535), server("10.0.0.12:80", 1, 65535),
                        server("10.0.0.13:80", 65535, 65535)};
  auto const most = std::numeric_limits<std::uint64_t>::max();
  CHECK(chosen_server(servers, v4, DnsChoice::weighted, most).has_value());
  CHECK(counted(servers, DnsChoice::best, 2) == std::array<int, 3>{1, 1, 0});
}

TEST_CASE("dns choice: best is who has most of its base, whatever the base") {
  Servers const servers{server("10.0.0.11:80", 100, 60), server("10.0.0.12:80", 10, 7),
                        server("10.0.0.13:80", 1000, 650)};
  CHECK(counted(servers, DnsChoice::best, 9) == std::array<int, 3>{0, 9, 0});
}

TEST_CASE("dns choice: equals take turns by chance") {
  Servers const servers{server("10.0.0.11:80", 100, 50), server("10.0.0.12:80", 10, 5),
                        server("10.0.0.13:80", 10, 4)};
  CHECK(counted(servers, DnsChoice::best, 10) == std::array<int, 3>{5, 5, 0});
}
