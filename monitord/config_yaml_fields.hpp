#pragma once

// Single values of monitord.yaml. Each function changes its target only when the node is there and
// fits; what does not fit is a problem of the document.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "ipvs/types.hpp"
#include "loadcalc/strategy.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// IPVS takes more, but ipvsadm, keepalived and every scheduler's arithmetic are at home here.
inline constexpr std::uint32_t largest_weight = 65535;

void set_bool(const strictyaml::Node& node, bool& target);
void set_number(const strictyaml::Node& node, double min, double max, double& target);
void set_duration(const strictyaml::Node& node, std::chrono::nanoseconds min,
                  std::chrono::nanoseconds max, std::chrono::nanoseconds& target);
/// A size with its unit: "64MiB".
void set_size(const strictyaml::Node& node, std::uint64_t min, std::uint64_t max,
              std::uint64_t& target);
std::optional<std::uint16_t> port_from_node(const strictyaml::Node& node);
/// An absolute path of at most `max_bytes`: a daemon has no meaningful working directory.
void set_path(const strictyaml::Node& node, std::size_t max_bytes, std::string& target);
void set_weight(const strictyaml::Node& node, std::uint32_t& target);

/// One of the words, each at the place of its value.
template <typename Choice, std::size_t count>
void set_choice(const strictyaml::Node& node, const std::array<std::string, count>& words,
                Choice& choice) {
  const auto index = node.as_one_of({words.begin(), words.end()});
  if (index) choice = static_cast<Choice>(*index);
}

/// A base weight. 0 is refused: it cannot be scaled, and a drained server is drained in the kernel.
std::optional<std::uint32_t> base_from_node(const strictyaml::Node& node);
void warn_unreachable_base(const strictyaml::Node& node, std::uint32_t base,
                           const loadcalc::WeightRange& weights);

/// The address of one machine: neither 0.0.0.0, multicast, link-local nor IPv4 in IPv6.
std::optional<ipvs::IpAddress> address_from_node(const strictyaml::Node& node);
/// Only this host can reach it.
bool is_loopback(const ipvs::IpAddress& address);
std::optional<ipvs::ServiceKey> service_from_node(const strictyaml::Node& node);
/// `service` lends its port to a hint when the node has none.
std::optional<ipvs::DestinationKey> destination_from_node(
    const strictyaml::Node& node, const std::optional<ipvs::ServiceKey>& service);

}  // namespace lvs::monitord
