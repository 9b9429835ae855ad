#include "monitorctl/status_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "monitorctl/number_text.hpp"
#include "monitorctl/status_mode.hpp"
#include "monitorctl/wide_table.hpp"

namespace lvs::monitorctl {
namespace {

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<10} {}\n", label, text);
}

using Counts = std::map<std::string, std::size_t>;

std::string counts_text(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  }
  return text.empty() ? "none" : text;
}

std::string table_text(const Status& status) {
  if (!status.degraded.empty()) return "degraded: " + status.degraded;
  std::size_t destinations = 0;
  for (const auto& service : status.services) {
    destinations += service.destinations.size();
  }
  return counted(status.services.size(), "service") + ", " + counted(destinations, "destination");
}

std::string_view mode_text(StatusMode mode) {
  switch (mode) {
    case StatusMode::degraded:
      return "degraded: the table cannot be read, nothing is written";
    case StatusMode::starting:
      return "starting: no cycle is done yet";
    case StatusMode::dry_run:
      return "dry run: nothing is written";
    case StatusMode::standby:
      return "standby: no connection comes through here";
    case StatusMode::paused:
      return "paused by hand: nothing is steered";
    case StatusMode::active:
      break;
  }
  return "active";
}

std::string cycle_text(const Status& status, double now) {
  if (!status.wall_time) return fmt::format("{}", status.cycle);
  return fmt::format("{}, {:.1f} s ago", status.cycle, std::max(0.0, now - *status.wall_time));
}

std::string counters_text(const Status::Counters& counters) {
  std::string text;
  for (const auto& [name, count] : counters) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  }
  return text.empty() ? "none" : text;
}

/// "tcp 10.9.9.9:80" as it is typed: "tcp:10.9.9.9:80".
std::string one_word(std::string service) {
  std::ranges::replace(service, ' ', ':');
  return service;
}

/// Nobody can say what is in a table that cannot be read.
std::string unread_table_text(const Status& status) {
  return "monitord cannot read the IPVS table, and knows no destination until it can: " +
         status.degraded +
         "\n  the weights stay as they are; see monitorctl status, and the last "
         "decisions with monitorctl events";
}

bool has_probed(const Status& status) {
  return std::ranges::any_of(status.probes, [](const auto& counter) { return counter.second > 0; });
}

}  // namespace

std::string status_text(const Status& status, double now) {
  Counts readings;
  Counts outcomes;
  for (const auto& service : status.services) {
    for (const auto& destination : service.destinations) {
      ++readings[text_or_dash(destination.reading)];
      ++outcomes[text_or_dash(destination.outcome)];
    }
  }
  auto text = line("monitord", status.version);
  text += line("mode", mode_text(mode_of(status)));
  text += line("cycle", cycle_text(status, now));
  text += line("table", table_text(status));
  text += line("readings", counts_text(readings));
  text += line("outcomes", counts_text(outcomes));
  text += line("polls", counters_text(status.polls));
  if (has_probed(status)) text += line("probes", counters_text(status.probes));
  text += line("weights", fmt::format("{} written, {} failed, {} suppressed, {}", status.writes,
                                      status.failed_writes, status.suppressed,
                                      counted(status.foreign_edits, "foreign edit")));
  for (const auto& one : status.applied) {
    text += line("write", fmt::format("{} {}: {} -> {} {}{}", one.service, one.destination,
                                      number_text(one.from), number_text(one.to), one.result,
                                      one.error.empty() ? "" : " (" + one.error + ")"));
  }
  for (const auto& order : status.orders) {
    text += line("order", order);
  }
  for (const auto& note : status.notes) {
    text += line("note", note);
  }
  return text;
}

std::string unknown_target_text(const Status& status, std::string_view service,
                                std::string_view destination) {
  if (!status.degraded.empty()) return unread_table_text(status);
  std::string known;
  for (const auto& one : status.services) {
    if (one.service != service) {
      known += fmt::format("\n  {}", one.service);
      continue;
    }
    known.clear();
    for (const auto& candidate : one.destinations) {
      known += fmt::format("\n  {}", candidate.destination);
    }
    return fmt::format("monitord knows no destination {} in {}; it knows:{}", destination, service,
                       known.empty() ? "\n  none" : known);
  }
  return fmt::format("monitord knows no service {}; it knows:{}", service,
                     known.empty() ? "\n  none" : known);
}

std::string unknown_destination_text(const Status& status, std::string_view destination) {
  if (!status.degraded.empty()) return unread_table_text(status);
  std::string known;
  for (const auto& service : status.services) {
    for (const auto& candidate : service.destinations)
      known += fmt::format("\n  {} {}", one_word(service.service), candidate.destination);
  }
  return fmt::format("monitord knows no destination {}; it knows:{}", destination,
                     known.empty() ? "\n  none" : known);
}

std::string which_service_text(const std::vector<const ServiceStatus*>& services,
                               std::string_view command, std::string_view destination) {
  auto text = fmt::format("{} is in {} services; name one of them:", destination, services.size());
  for (const auto* const service : services)
    text +=
        fmt::format("\n  monitorctl {} {} {}", command, one_word(service->service), destination);
  return text;
}

const DestinationStatus* destination_of(const ServiceStatus& service,
                                        std::string_view destination) {
  const auto& all = service.destinations;
  const auto found = std::ranges::find(all, destination, &DestinationStatus::destination);
  return found == all.end() ? nullptr : &*found;
}

std::vector<const ServiceStatus*> services_with(const Status& status,
                                                const std::string& destination,
                                                const std::optional<std::string>& service) {
  std::vector<const ServiceStatus*> found;
  for (const auto& one : status.services) {
    const bool asked = !service || one.service == *service;
    if (asked && destination_of(one, destination) != nullptr) found.push_back(&one);
  }
  return found;
}

}  // namespace lvs::monitorctl
