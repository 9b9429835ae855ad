#include "monitorctl/wide_table.hpp"

#include <fmt/format.h>

#include "monitorctl/ipvsadm_format.hpp"
#include "monitorctl/number_text.hpp"

namespace lvs::monitorctl {
namespace {

constexpr auto row_format =
    "  -> {:<28} {:<7} {:>6} {:>6} {:>6} {:>5} {:>5} {:>5} {:>6} {:>6} {:>7} {:>9} {}\n";

std::string heading() {
  return "Prot LocalAddress:Port Scheduler Flags\n" +
         fmt::format(row_format, "RemoteAddress:Port", "Forward", "Weight", "Base", "Target", "C",
                     "M", "F", "INPUT", "Age", "Active", "InActConn", "Verdict");
}

std::string age_text(const std::optional<double>& seconds) {
  return seconds ? number_text(seconds, 1) + "s" : "-";
}

std::string row(const ipvs::Destination& destination, const DestinationStatus* found) {
  const DestinationStatus unknown;
  const auto& status = found == nullptr ? unknown : *found;
  return fmt::format(row_format, ipvs::string_from_destination_key(destination.key),
                     ipvs::string_from_forwarding_method(destination.forwarding),
                     destination.weight, status.base == 0U ? "-" : number_text(status.base),
                     number_text(status.target), number_text(status.cpu_busy, 2),
                     number_text(status.mem_available, 2), number_text(status.composite, 2),
                     number_text(status.input, 2), age_text(status.age_s),
                     destination.active_connections, destination.inactive_connections,
                     text_or_dash(status.outcome));
}

}  // namespace

std::string daemon_line(const Status& status) {
  return fmt::format("monitord {}{}, cycle {}", status.version, status.dry_run ? " (dry run)" : "",
                     status.cycle);
}

std::string wide_table(const KernelView& kernel, const std::optional<Status>& status) {
  const auto index = status ? StatusIndex(*status) : StatusIndex();
  auto text = heading();
  for (const auto& entry : kernel.services) {
    text += service_heading(entry.service) + "\n";
    const auto service = ipvs::string_from_service_key(entry.service.key);
    for (const auto& destination : entry.destinations) {
      const auto name = ipvs::string_from_destination_key(destination.key);
      text += row(destination, index.find(service, name));
    }
  }
  return text;
}

}  // namespace lvs::monitorctl
