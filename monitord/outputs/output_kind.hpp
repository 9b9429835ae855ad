#pragma once

// The outputs by name, and what each can do. A new output is one entry of the table in
// output_kind.cpp and a file of its own that implements the port in output.hpp.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "loadcalc/strategy.hpp"

namespace lvs::monitord {

/// Where the weights of a service go. docs/OUTPUTS.md tells when to take which.
enum class OutputKind {
  ipvs,        ///< the kernel, over generic netlink
  keepalived,  ///< track files; keepalived writes them to the kernel
  haproxy,     ///< HAProxy asks for them: its agent-check
  nginx,       ///< an upstream's servers in a file that nginx includes; it is reloaded
  dns,         ///< PowerDNS asks for addresses: its remote backend
};

/// What an output takes. The configuration is held to it, so that no strategy has to know.
struct Capabilities {
  loadcalc::WeightRange range{};  ///< of weights above 0
  bool allows_zero{};             ///< else nobody can be drained through it
  /// Least time between two writes to one service.
  std::chrono::nanoseconds smallest_interval{};
};

struct OutputTraits {
  OutputKind kind{};
  std::string_view name{};  ///< as in monitord.yaml
  Capabilities can{};
  /// Of pools that the configuration declares; else of services in the kernel's table.
  bool takes_pools{};
};

/// All of them, in the order of OutputKind.
std::span<const OutputTraits> outputs();
const OutputTraits& traits_of(OutputKind kind);
std::string_view name_of_output(OutputKind kind);

/// Empty when no output has this name.
std::optional<OutputKind> output_from_name(std::string_view name);

}  // namespace lvs::monitord
