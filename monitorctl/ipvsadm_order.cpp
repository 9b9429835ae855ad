#include "monitorctl/ipvsadm_order.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace lvs::monitorctl {
namespace {

/// The sign of a - b as libipvs computes it: in 32 bits, wrapping round.
std::int32_t wrapped_difference(std::uint32_t left, std::uint32_t right) {
  return static_cast<std::int32_t>(left - right);
}

std::uint32_t word_of(const ipvs::IpAddress& address, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t byte = 4 * index; byte < 4 * index + 4; ++byte) {
    word = word << 8 | address.bytes[byte];
  }
  return word;
}

std::int32_t compared_addresses(const ipvs::IpAddress& left, const ipvs::IpAddress& right,
                                ipvs::Family family) {
  const std::size_t words = family == ipvs::Family::inet6 ? 4 : 1;
  for (std::size_t index = 0; index < words; ++index) {
    const auto difference = wrapped_difference(word_of(left, index), word_of(right, index));
    if (difference != 0) return difference;
  }
  return 0;
}

std::int32_t compared_services(const ipvs::ServiceEntry& left, const ipvs::ServiceEntry& right) {
  const auto& a = left.service.key;
  const auto& b = right.service.key;
  if (a.fwmark != b.fwmark) return wrapped_difference(a.fwmark, b.fwmark);
  if (a.family != b.family) return a.family < b.family ? -1 : 1;
  if (a.protocol != b.protocol) return a.protocol < b.protocol ? -1 : 1;
  const auto addresses = compared_addresses(a.address, b.address, a.family);
  return addresses != 0 ? addresses : a.port - b.port;
}

std::int32_t compared_destinations(const ipvs::Destination& left, const ipvs::Destination& right) {
  // The family of the left one decides, also in a pool of both families.
  const auto addresses =
      compared_addresses(left.key.address, right.key.address, left.key.address.family);
  return addresses != 0 ? addresses : left.key.port - right.key.port;
}

/// The merge sort of glibc's qsort: first half n/2, the left one on a tie. Such a comparison is no
/// order (it can go round in circles), which std::sort must not be given, and where it does go
/// round only the same merges end in the same listing.
template <typename Iterator, typename Compare>
void merge_sort(Iterator first, Iterator last, Compare compare) {
  const auto count = std::distance(first, last);
  if (count < 2) return;
  const auto middle = first + count / 2;
  merge_sort(first, middle, compare);
  merge_sort(middle, last, compare);
  std::vector<typename std::iterator_traits<Iterator>::value_type> merged;
  merged.reserve(static_cast<std::size_t>(count));
  auto left = first;
  auto right = middle;
  while (left != middle && right != last) {
    merged.push_back(std::move(compare(*left, *right) <= 0 ? *left++ : *right++));
  }
  std::move(left, middle, std::back_inserter(merged));
  std::move(right, last, std::back_inserter(merged));
  std::move(merged.begin(), merged.end(), first);
}

}  // namespace

void sort_as_ipvsadm(std::vector<ipvs::ServiceEntry>& services) {
  merge_sort(services.begin(), services.end(), compared_services);
  for (auto& entry : services) {
    merge_sort(entry.destinations.begin(), entry.destinations.end(), compared_destinations);
  }
}

}  // namespace lvs::monitorctl
