#include <fmt/format.h>

#include <cmath>

#include "monitorctl/further_text.hpp"
#include "monitorctl/number_text.hpp"
#include "monitorctl/status_text.hpp"

namespace lvs::monitorctl {
namespace {

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<9} {}\n", label, text);
}

std::string reading_text(const DestinationStatus& status) {
  return text_or_dash(status.reading) +
         (status.age_s ? fmt::format(", {:.1f} s old", *status.age_s) : "");
}

/// F with the sum that gives it. The shares are configurable; they are only spelled out where the
/// usual ones lead to the F that monitord used.
std::string composite_text(const DestinationStatus& status) {
  if (!status.composite) return "-  (no usable reading)";
  auto text = fmt::format("{:.3f}", *status.composite);
  if (!status.cpu_busy || !status.mem_available) return text;
  const double usual = 0.6 * (1 - *status.cpu_busy) + 0.4 * *status.mem_available;
  if (std::abs(usual - *status.composite) > 0.0005) return text + "  (shares as configured)";
  return fmt::format("0.6*(1-C)+0.4*M = 0.6*{:.3f} + 0.4*{:.3f} = {}", 1 - *status.cpu_busy,
                     *status.mem_available, text);
}

/// What a strategy wants has to be worth a write; what people ordered and what makes good has not.
bool asks_boundary(const DestinationStatus& status) {
  return status.outcome == "change" || status.outcome == "unchanged" ||
         status.outcome == "within_boundary" || status.outcome == "waiting";
}

std::string boundary_text(const DestinationStatus& status) {
  if (!status.boundary) return "-";
  auto width = fmt::format("B = {:.4g}", *status.boundary);
  if (!status.target || !status.current) return width;
  const auto from = static_cast<double>(*status.current);
  const auto distance = std::abs(static_cast<double>(*status.target) - from);
  if (!asks_boundary(status)) return width + "; not asked here: " + text_or_dash(status.outcome);
  return fmt::format("{}; |target - current| = |{} - {}| = {:.0f}, {}", width, *status.target,
                     *status.current, distance,
                     distance > *status.boundary ? "more than B: worth a write"
                                                 : "not more than B: not worth a write");
}

std::string weights_text(const DestinationStatus& status) {
  return fmt::format("base {}, current {}, target {}",
                     status.base == 0U ? "-" : number_text(status.base),
                     number_text(status.current), number_text(status.target));
}

std::string connections_text(const DestinationStatus& status) {
  return fmt::format("{} active, {} inactive, {} new, {} completed", number_text(status.active),
                     number_text(status.inactive), number_text(status.new_connections),
                     number_text(status.completed, 1));
}

}  // namespace

std::string explain_text(const ServiceStatus& service, const DestinationStatus& destination) {
  auto text = fmt::format("{} -> {} ({}, {}, {})\n", service.service, destination.destination,
                          text_or_dash(destination.server), text_or_dash(destination.forwarding),
                          text_or_dash(service.scheduler));
  text += line("reading", reading_text(destination));
  text += line("C", number_text(destination.cpu_busy, 3) + "  CPU occupancy");
  text += line("M", number_text(destination.mem_available, 3) + "  free-memory rate");
  text += line("F", composite_text(destination));
  text += line("further", further_text(destination.further));
  text += line("INPUT", number_text(destination.input, 2) +
                            "  new connections over the mean of the servers");
  text += line("conns", connections_text(destination));
  if (destination.capacity.value_or(0) > 0) {
    text += line("capacity", fmt::format("{:.4g} learned, correction {}", *destination.capacity,
                                         number_text(destination.correction, 3)));
  }
  text += line("weights", weights_text(destination));
  for (const auto& [label, way] : way_to_target(service, destination))
    text += line(label, way);
  text += line("boundary", boundary_text(destination));
  text += line("outcome", text_or_dash(destination.outcome) +
                              (destination.write ? ": write " + number_text(destination.write)
                                                 : ": nothing is written"));
  text += line("reason", text_or_dash(destination.reason));
  return text;
}

}  // namespace lvs::monitorctl
