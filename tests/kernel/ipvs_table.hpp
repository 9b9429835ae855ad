#pragma once

// What the kernel tests of lib/ipvs share.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "guest.hpp"
#include "ipvs/netlink_table.hpp"

namespace lvs::ipvs::test {

inline ServiceKey key(std::string_view text) {
  return service_key_from_string(text).value();
}

inline const Destination& find(const ServiceEntry& entry, std::string_view text) {
  const auto wanted = destination_key_from_string(text).value();
  const auto& all = entry.destinations;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Destination& each) { return each.key == wanted; });
  if (found == all.end()) throw std::runtime_error("no destination " + std::string(text));
  return *found;
}

/// Read right before the write, as every writer has to.
inline tl::expected<void, Error> set_weight(NetlinkTable& table, std::string_view service,
                                            std::string_view destination, std::uint32_t weight) {
  const auto entry = table.service(key(service));
  if (!entry) return tl::unexpected(entry.error());
  return table.set_weight(key(service), find(*entry, destination), weight);
}

/// The words of the line of `ipvsadm -Ln OPTIONS` that has the destination, blanks squeezed.
inline std::string line_of(std::string_view destination, const std::string& options = "") {
  return guest::must("ipvsadm -Ln " + options + " | tr -s ' ' | grep -F -- '-> " +
                     std::string(destination) + " ' | sed 's/^ *//; s/ *$//'");
}

}  // namespace lvs::ipvs::test
