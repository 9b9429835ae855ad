#include "bench/table_setup.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "kernel/guest.hpp"

namespace lvs::bench {

void build_table(const TableShape& shape) {
  guest::must("ipvsadm -C");
  guest::ipvsadm_restore(rules_of(shape));
}

std::vector<ipvs::ServiceEntry> read_table(ipvs::NetlinkTable& table) {
  auto entries = table.services();
  if (!entries) throw std::runtime_error(entries.error().message);
  return *std::move(entries);
}

std::size_t destinations_in(const std::vector<ipvs::ServiceEntry>& entries) {
  return std::accumulate(
      entries.begin(), entries.end(), std::size_t{},
      [](std::size_t sum, const auto& entry) { return sum + entry.destinations.size(); });
}

}  // namespace lvs::bench
