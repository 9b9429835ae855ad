#include "monitorctl/list_document.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <string_view>
#include <vector>

#include "loadcalc/further_measures.hpp"
#include "monitorctl/ipvsadm_format.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

template <typename Number>
json::value number(const std::optional<Number>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(std::string_view text) {
  return text.empty() ? json::value(nullptr)
                      : json::value(json::string_view(text.data(), text.size()));
}

json::object statistics_json(const ipvs::Statistics& counted) {
  return {{"connections", counted.connections},
          {"in_packets", counted.in_packets},
          {"out_packets", counted.out_packets},
          {"in_bytes", counted.in_bytes},
          {"out_bytes", counted.out_bytes},
          {"connections_per_second", counted.connections_per_second},
          {"in_packets_per_second", counted.in_packets_per_second},
          {"out_packets_per_second", counted.out_packets_per_second},
          {"in_bytes_per_second", counted.in_bytes_per_second},
          {"out_bytes_per_second", counted.out_bytes_per_second}};
}

/// "255.255.255.0" or "64".
std::string netmask_text(const ipvs::Service& service) {
  const auto mask = service.netmask;
  if (service.key.family == ipvs::Family::inet6) return fmt::format("{}", mask);
  return fmt::format("{}.{}.{}.{}", mask >> 24, mask >> 16 & 255, mask >> 8 & 255, mask & 255);
}

json::value persistence_json(const ipvs::Service& service) {
  if ((service.flags & ipvs::service_flag::persistent) == 0) return nullptr;
  return json::object{{"timeout_s", service.timeout_s},
                      {"netmask", netmask_text(service)},
                      {"engine", text_or_null(service.persistence_engine)}};
}

json::value tunnel_json(const ipvs::Destination& destination, bool complete) {
  const bool known = complete && destination.forwarding == ipvs::ForwardingMethod::tunnel;
  return known ? json::value(tunnel_name(destination)) : json::value(nullptr);
}

/// What only netlink tells is null when the table came from /proc.
template <typename Value>
json::value where_complete(bool complete, const Value& value) {
  return complete ? json::value(value) : json::value(nullptr);
}

void add_kernel_details(const ipvs::Destination& destination, bool complete, json::object& out) {
  out["persistent"] = where_complete(complete, destination.persistent_connections);
  out["upper_threshold"] = where_complete(complete, destination.upper_threshold);
  out["lower_threshold"] = where_complete(complete, destination.lower_threshold);
  out["tunnel"] = tunnel_json(destination, complete);
  out["statistics"] = where_complete(complete, statistics_json(destination.statistics));
}

json::object destination_json(const ipvs::Destination& destination, bool complete,
                              const DestinationStatus* found) {
  const DestinationStatus unknown;
  const auto& status = found == nullptr ? unknown : *found;
  json::object out{{"destination", ipvs::string_from_destination_key(destination.key)},
                   {"server", text_or_null(status.server)},
                   {"forwarding", ipvs::string_from_forwarding_method(destination.forwarding)},
                   {"base", number(status.base)},
                   {"current", destination.weight},
                   {"target", number(status.target)},
                   {"write", number(status.write)},
                   {"boundary", number(status.boundary)},
                   {"reading", text_or_null(status.reading)},
                   {"age_s", number(status.age_s)},
                   {"cpu_busy", number(status.cpu_busy)},
                   {"mem_available", number(status.mem_available)},
                   {"composite", number(status.composite)},
                   {"input", number(status.input)},
                   {"new_connections", number(status.new_connections)},
                   {"completed", number(status.completed)},
                   {"active", destination.active_connections},
                   {"inactive", destination.inactive_connections},
                   {"capacity", number(status.capacity)},
                   {"correction", number(status.correction)},
                   {"outcome", text_or_null(status.outcome)},
                   {"reason", text_or_null(status.reason)}};
  add_kernel_details(destination, complete, out);
  for (const auto& measure : loadcalc::further_measures)
    out[measure.name] = number(status.further.*measure.value);
  return out;
}

json::object service_json(const ipvs::ServiceEntry& entry, bool complete,
                          const StatusIndex& index) {
  const auto& service = entry.service;
  const auto name = ipvs::string_from_service_key(service.key);
  json::array destinations;
  for (const auto& destination : entry.destinations) {
    const auto* const status = index.find(name, ipvs::string_from_destination_key(destination.key));
    destinations.emplace_back(destination_json(destination, complete, status));
  }
  return {{"service", name},
          {"scheduler", service.scheduler},
          {"scheduler_flags", text_or_null(scheduler_flags_text(service))},
          {"one_packet", (service.flags & ipvs::service_flag::one_packet) != 0},
          {"persistence", persistence_json(service)},
          {"statistics", where_complete(complete, statistics_json(service.statistics))},
          {"destinations", std::move(destinations)}};
}

/// Columns of the CSV, by their keys in the destination's object.
std::vector<std::string_view> csv_keys() {
  std::vector<std::string_view> keys{
      "destination",     "server",   "forwarding",      "base",
      "current",         "target",   "write",           "boundary",
      "reading",         "age_s",    "cpu_busy",        "mem_available",
      "composite",       "input",    "new_connections", "completed",
      "active",          "inactive", "capacity",        "correction",
      "outcome",         "reason",   "persistent",      "upper_threshold",
      "lower_threshold", "tunnel"};
  for (const auto& measure : loadcalc::further_measures)
    keys.push_back(measure.name);
  return keys;
}

std::string csv_field(const json::value& value) {
  if (value.is_null()) return "";
  if (value.is_double()) return fmt::format("{}", value.get_double());  // 0.84, not 8.4E-1
  if (!value.is_string()) return json::serialize(value);
  std::string text(value.get_string().data(), value.get_string().size());
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
  }
  return quoted + "\"";
}

}  // namespace

boost::json::object list_json(const KernelView& kernel, const std::optional<Status>& status) {
  const auto index = status ? StatusIndex(*status) : StatusIndex();
  json::array services;
  for (const auto& entry : kernel.services) {
    services.emplace_back(service_json(entry, kernel.complete, index));
  }
  json::object document;
  document["ipvs"] = json::object{{"version", version_text(kernel.info)},
                                  {"table_size", kernel.info.connection_table_size}};
  document["monitord"] = nullptr;
  if (status) {
    document["monitord"] = json::object{
        {"version", status->version}, {"cycle", status->cycle}, {"dry_run", status->dry_run}};
  }
  document["services"] = std::move(services);
  return document;
}

std::string list_csv(const KernelView& kernel, const std::optional<Status>& status) {
  const auto keys = csv_keys();
  std::string text = "service,scheduler";
  for (const auto key : keys) {
    text += fmt::format(",{}", key);
  }
  text += "\n";
  const auto index = status ? StatusIndex(*status) : StatusIndex();
  for (const auto& entry : kernel.services) {
    const auto name = ipvs::string_from_service_key(entry.service.key);
    for (const auto& destination : entry.destinations) {
      const auto fields =
          destination_json(destination, kernel.complete,
                           index.find(name, ipvs::string_from_destination_key(destination.key)));
      text += fmt::format("{},{}", name, entry.service.scheduler);
      for (const auto key : keys) {
        text += "," + csv_field(fields.at(json::string_view(key.data(), key.size())));
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace lvs::monitorctl
