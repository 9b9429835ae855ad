#pragma once

// Tables to measure with, as ipvsadm reads them. Pure.

#include <cstddef>
#include <cstdint>
#include <string>

#include "ipvs/types.hpp"

namespace lvs::bench {

/// So many services with so many destinations each.
struct TableShape {
  std::size_t services{};
  std::size_t destinations{};

  friend bool operator==(const TableShape&, const TableShape&) = default;
};

/// "100x100"
std::string name_of(const TableShape& shape);

/// For an empty table: TCP services under wrr, NAT, thresholds, no two destinations alike. At most
/// 62,500 services and 1,000,000 destinations in all.
std::string rules_of(const TableShape& shape);

/// "-e -t 10.9.0.1:80 -r 10.20.0.1:80 -m -w 7 -x 1000 -y 10": the destination with another weight.
/// For services and destinations of rules_of() only: other flags are not written back.
std::string edit_rule(const ipvs::ServiceKey& service, const ipvs::Destination& destination,
                      std::uint32_t weight);

}  // namespace lvs::bench
