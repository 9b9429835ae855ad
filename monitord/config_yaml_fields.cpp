#include "monitord/config_yaml_fields.hpp"

#include <cstddef>

#include "monitord/size_text.hpp"

namespace lvs::monitord {

using strictyaml::Node;

void set_bool(const Node& node, bool& target) {
  target = node.as_bool().value_or(target);
}

void set_number(const Node& node, double min, double max, double& target) {
  target = node.as_number(min, max).value_or(target);
}

void set_duration(const Node& node, std::chrono::nanoseconds min, std::chrono::nanoseconds max,
                  std::chrono::nanoseconds& target) {
  const auto duration = node.as_duration_ns(min.count(), max.count());
  if (duration) target = std::chrono::nanoseconds{*duration};
}

void set_size(const Node& node, std::uint64_t min, std::uint64_t max, std::uint64_t& target) {
  const auto text = node.as_string();
  if (!text) return;
  const auto size = size_from_string(*text);
  if (size && *size >= min && *size <= max) {
    target = *size;
  } else {
    node.refuse_value("is no size from " + string_from_size(min) + " to " + string_from_size(max),
                      "write a whole number and its unit: 512KiB, 64MiB, 1GiB");
  }
}

std::optional<std::uint16_t> port_from_node(const Node& node) {
  const auto port = node.as_integer(1, 65535);
  if (!port) return std::nullopt;
  return static_cast<std::uint16_t>(*port);
}

void set_path(const Node& node, std::size_t max_bytes, std::string& target) {
  const auto path = node.as_string();
  if (!path) return;
  if (!path->starts_with('/')) {
    node.refuse_value("is no absolute path", "write the whole path, from \"/\" on");
  } else if (path->size() > max_bytes) {
    node.refuse_value("is longer than " + std::to_string(max_bytes) + " bytes");
  } else {
    target = *path;
  }
}

void set_weight(const Node& node, std::uint32_t& target) {
  const auto weight = node.as_integer(1, largest_weight);
  if (weight) target = static_cast<std::uint32_t>(*weight);
}

std::optional<std::uint32_t> base_from_node(const Node& node) {
  if (node.is_scalar() && node.as_string() == "0") {
    node.error(node.path() + ": a base weight of 0 is refused",
               "to drain a server set its weight in the kernel to 0 (ipvsadm -e … -w 0): monitord "
               "then leaves it alone");
    return std::nullopt;
  }
  const auto base = node.as_integer(1, largest_weight);
  if (!base) return std::nullopt;
  return static_cast<std::uint32_t>(*base);
}

void warn_unreachable_base(const Node& node, std::uint32_t base,
                           const loadcalc::WeightRange& weights) {
  if (base >= weights.min && base <= weights.max) return;
  node.warn(node.path() + ": " + std::to_string(base) + " is outside weights " +
                std::to_string(weights.min) + " to " + std::to_string(weights.max),
            "a silent server cannot be put back to this base: widen weights or change the base");
}

}  // namespace lvs::monitord
