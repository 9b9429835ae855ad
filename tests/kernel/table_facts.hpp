#pragma once

// What of a table a weight write must leave alone (law 2), in a form that can be compared and
// printed: one line of text for each service and destination.

#include <linux/ip_vs.h>

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

#include "ipvs/attributes.hpp"
#include "ipvs/types.hpp"

namespace lvs::guest {

using TableFacts = std::map<std::string, std::string>;

inline std::string hexadecimal(ipvs::ByteView bytes) {
  constexpr auto digits = "0123456789abcdef";
  std::string text;
  for (auto const byte : bytes) {
    auto const value = std::to_integer<unsigned>(byte);
    text += digits[value >> 4U];
    text += digits[value & 15U];
  }
  return text;
}

/// The weight, and what counts connections.
inline bool may_change(std::uint16_t attribute) {
  switch (attribute) {
    case IPVS_DEST_ATTR_WEIGHT:
    case IPVS_DEST_ATTR_ACTIVE_CONNS:
    case IPVS_DEST_ATTR_INACT_CONNS:
    case IPVS_DEST_ATTR_PERSIST_CONNS:
    case IPVS_DEST_ATTR_STATS:
    case IPVS_DEST_ATTR_STATS64:
      return true;
    default:
      return false;
  }
}

/// Of the bytes as the kernel gave them, so that attributes that lib/ipvs does not know count, too.
inline std::string facts_of(const ipvs::Destination& destination) {
  std::string facts;
  ipvs::ByteView rest(destination.raw);
  while (true) {
    auto const attribute = ipvs::next_attribute(rest);
    if (!attribute) throw std::runtime_error(attribute.error());
    if (!*attribute) return facts;
    if (may_change((*attribute)->type)) continue;
    facts += std::to_string((*attribute)->type) + "=" + hexadecimal((*attribute)->payload) + " ";
  }
}

inline std::string facts_of(const ipvs::Service& service) {
  return service.scheduler + " flags=" + std::to_string(service.flags) +
         " timeout=" + std::to_string(service.timeout_s) +
         " netmask=" + std::to_string(service.netmask) + " pe=" + service.persistence_engine;
}

inline TableFacts facts_from_table(std::span<const ipvs::ServiceEntry> table) {
  TableFacts facts;
  for (auto const& entry : table) {
    auto const service = ipvs::string_from_service_key(entry.service.key);
    facts.emplace(service, facts_of(entry.service));
    for (auto const& destination : entry.destinations) {
      facts.emplace(service + " " + ipvs::string_from_destination_key(destination.key),
                    facts_of(destination));
    }
  }
  return facts;
}

}  // namespace lvs::guest
