#pragma once

// Address prefixes of the allow-list.

#include <optional>
#include <string_view>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::agent {

struct Prefix {
  ipvs::IpAddress address{};
  unsigned length{};  ///< bits: 0..32 or 0..128

  friend bool operator==(const Prefix&, const Prefix&) = default;
};

/// "10.0.0.0/24", "fd00::/8" or a single address. Empty when it is neither.
std::optional<Prefix> prefix_from_string(std::string_view text);

/// Bits of the prefix behind its length do not matter. Families never match each other.
bool contains(const Prefix& prefix, const ipvs::IpAddress& address);
bool contains(const std::vector<Prefix>& prefixes, const ipvs::IpAddress& address);

}  // namespace lvs::agent
