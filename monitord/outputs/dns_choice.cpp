#include "monitord/outputs/dns_choice.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lvs::monitord {
namespace {

/// Those of the family that may be chosen.
std::vector<std::size_t> candidates(std::span<const OutputServer> servers, ipvs::Family family) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (servers[i].key.address.family == family && servers[i].weight > 0) found.push_back(i);
  }
  return found;
}

std::size_t weighted(std::span<const OutputServer> servers, const std::vector<std::size_t>& some,
                     std::uint64_t chance) {
  std::uint64_t sum = 0;
  for (auto const i : some)
    sum += servers[i].weight;
  auto left = chance % sum;
  for (auto const i : some) {
    if (left < servers[i].weight) return i;
    left -= servers[i].weight;
  }
  return some.back();
}

/// Whether a has less of its base than b. Bases are >= 1.
bool has_less(const OutputServer& a, const OutputServer& b) {
  return std::uint64_t{a.weight} * b.base < std::uint64_t{b.weight} * a.base;
}

std::size_t best(std::span<const OutputServer> servers, const std::vector<std::size_t>& some,
                 std::uint64_t chance) {
  auto const top = *std::ranges::max_element(
      some, [&](std::size_t a, std::size_t b) { return has_less(servers[a], servers[b]); });
  std::vector<std::size_t> equals;
  std::ranges::copy_if(some, std::back_inserter(equals),
                       [&](std::size_t i) { return !has_less(servers[i], servers[top]); });
  return equals[chance % equals.size()];
}

}  // namespace

std::optional<std::size_t> chosen_server(std::span<const OutputServer> servers, ipvs::Family family,
                                         DnsChoice choice, std::uint64_t chance) {
  auto const some = candidates(servers, family);
  if (some.empty()) return std::nullopt;
  return choice == DnsChoice::best ? best(servers, some, chance) : weighted(servers, some, chance);
}

}  // namespace lvs::monitord
