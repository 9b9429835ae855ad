#pragma once

// "HOST", "HOST:PORT", "[V6]:PORT", "V6". Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitorctl {

struct Endpoint {
  std::string host{};  ///< without brackets
  std::uint16_t port{};

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Empty when there is no host, or the port is not within 1..65535.
std::optional<Endpoint> endpoint_from_text(std::string_view text, std::uint16_t default_port);
/// With brackets round an IPv6 address.
std::string string_from_endpoint(const Endpoint& endpoint);

}  // namespace lvs::monitorctl
