#include "monitord/outputs/output_kind.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lvs::monitord {
namespace {

using namespace std::chrono_literals;

/// That of monitord.yaml: IPVS and keepalived take more.
constexpr std::uint32_t largest_weight = 65535;
/// server_parse_weight_change_request() in HAProxy's server.c.
constexpr std::uint32_t largest_weight_of_haproxy = 256;

constexpr std::array table{
    OutputTraits{OutputKind::ipvs, "ipvs", {{1, largest_weight}, true, 0s}, false},
    // It acts on a file as soon as it is there; what it does then takes a moment.
    OutputTraits{OutputKind::keepalived, "keepalived", {{1, largest_weight}, true, 2s}, false},
    // It asks when it likes; a weight between two questions it never sees.
    OutputTraits{OutputKind::haproxy, "haproxy", {{1, largest_weight_of_haproxy}, true, 0s}, true},
    // Each reload makes new workers, and the old ones stay until their last request has ended.
    OutputTraits{OutputKind::nginx, "nginx", {{1, largest_weight}, true, 30s}, true},
    OutputTraits{OutputKind::dns, "dns", {{1, largest_weight}, true, 0s}, true},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].kind) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "traits_of() takes the kind for the index");

}  // namespace

std::span<const OutputTraits> outputs() {
  return table;
}

const OutputTraits& traits_of(OutputKind kind) {
  return table.at(static_cast<std::size_t>(kind));
}

std::string_view name_of_output(OutputKind kind) {
  return traits_of(kind).name;
}

std::optional<OutputKind> output_from_name(std::string_view name) {
  auto const* const found = std::ranges::find(table, name, &OutputTraits::name);
  if (found == table.end()) return std::nullopt;
  return found->kind;
}

}  // namespace lvs::monitord
