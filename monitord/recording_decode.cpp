// A line -> its cycle.

#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/stream_parser.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "loadcalc/further_measures.hpp"
#include "monitord/json_node.hpp"
#include "monitord/recording.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

constexpr double largest_time_s = 4e9;  // two of them still fit into nanoseconds
constexpr std::uint64_t largest_weight = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t largest_count = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest_live = std::numeric_limits<std::uint32_t>::max();

constexpr auto line_hint =
    R"(a line is {"t":…,"services":[…],"readings":{…}}: see RECORDINGS in monitord(8))";
constexpr auto service_hint =
    R"(a service is written like "tcp 10.9.9.9:80", "udp [2001:db8::9]:53" or "fwm 7")";
constexpr auto destination_hint =
    R"(a destination is written like "10.0.0.11:80" or "[2001:db8::11]:80")";

/// To the nearest nanosecond: the whole seconds first, since a double has no room for both.
Moment moment_from_seconds(double seconds) {
  const double whole = std::floor(seconds);
  return std::chrono::seconds(static_cast<std::int64_t>(whole)) +
         std::chrono::nanoseconds(std::llround((seconds - whole) * 1e9));
}

std::optional<std::uint32_t> whole32(const JsonNode& node, std::uint64_t largest) {
  const auto number = node.whole(largest);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

ipvs::ServiceKey service_name(const JsonNode& node) {
  const auto text = node.text();
  const auto key = text ? ipvs::service_key_from_string(*text) : std::nullopt;
  if (text && !key) node.refuse("a service", service_hint);
  return key.value_or(ipvs::ServiceKey{});
}

ipvs::DestinationKey destination_name(const JsonNode& node) {
  const auto text = node.text();
  const auto key = text ? ipvs::destination_key_from_string(*text) : std::nullopt;
  if (text && !key) node.refuse("a destination", destination_hint);
  return key.value_or(ipvs::DestinationKey{});
}

ipvs::ForwardingMethod forwarding_method(const JsonNode& node) {
  using enum ipvs::ForwardingMethod;
  const auto word = node.text();
  if (!word) return masquerade;
  for (const auto method : {masquerade, local_node, tunnel, direct_route, bypass}) {
    if (*word == forwarding_name(method)) return method;
  }
  node.refuse("a forwarding method", "Masq, Local, Tunnel, Route or Bypass");
  return masquerade;
}

ipvs::Destination destination_from_node(const JsonNode& node, const ipvs::ServiceKey& service,
                                        RecordedCycle& cycle) {
  ipvs::Destination destination;
  destination.key = destination_name(node.required("address", line_hint));
  destination.weight = whole32(node.required("weight", line_hint), largest_weight).value_or(0);
  destination.statistics.connections =
      node.required("connections", line_hint).whole(largest_count).value_or(0);
  destination.statistics.in_packets = node["packets"].whole(largest_count).value_or(0);
  destination.active_connections =
      whole32(node.required("active", line_hint), largest_live).value_or(0);
  destination.inactive_connections = whole32(node["inactive"], largest_live).value_or(0);
  destination.forwarding = forwarding_method(node["forwarding"]);

  const DestinationId id{service, destination.key};
  if (const auto base = whole32(node["base"], largest_weight)) cycle.bases[id] = *base;
  if (const auto written = whole32(node["written"], largest_weight)) cycle.written[id] = *written;
  if (const auto response = node["response_s"].number_or_null(0, largest_time_s)) {
    cycle.seen.responses[{service, destination.key}] = *response;
  }
  node.note_keys_but({"address", "weight", "connections", "packets", "active", "inactive",
                      "forwarding", "base", "written", "response_s"});
  return destination;
}

void add_service(const JsonNode& node, RecordedCycle& cycle) {
  ipvs::ServiceEntry entry;
  entry.service.key = service_name(node.required("service", line_hint));
  entry.service.scheduler = node.required("scheduler", line_hint).text().value_or("");
  const auto destinations = node.required("destinations", line_hint);
  node.note_keys_but({"service", "scheduler", "destinations"});
  if (node.failed()) return;
  destinations.items([&](const JsonNode& item) {
    entry.destinations.push_back(destination_from_node(item, entry.service.key, cycle));
  });
  cycle.seen.table.push_back(std::move(entry));
}

Reading reading_from_node(const JsonNode& node, Moment now) {
  Reading reading;
  reading.taken = now - moment_from_seconds(node["age"].number(0, largest_time_s).value_or(0));
  reading.cpu_busy = node["cpu_busy"].number_or_null(0, 1);
  reading.mem_available = node["mem_available"].number_or_null(0, 1);
  for (const auto& measure : loadcalc::agent_measures)
    reading.further.*measure.value = node[measure.name].number_or_null(0, measure.largest);
  reading.reason = node["reason"].text().value_or("");
  reading.draining = node["draining"].flag().value_or(false);
  node.note_keys_but({"age", "cpu_busy", "mem_available", "network_utilisation", "disk_utilisation",
                      "processes", "load_per_cpu", "cpu_pressure", "memory_pressure", "io_pressure",
                      "reason", "draining"});
  return reading;
}

void add_reading(std::string_view name, const JsonNode& node, RecordedCycle& cycle) {
  const auto address = ipvs::ip_address_from_string(name);
  if (!address) {
    return node.fail(node.place() + " is not the address of a real server",
                     "readings stand under addresses without a port, like 10.0.0.11");
  }
  cycle.seen.readings.insert_or_assign(*address, reading_from_node(node, cycle.seen.now));
}

RecordedCycle cycle_from_node(const JsonNode& root) {
  RecordedCycle cycle;
  const auto time = root.required("t", line_hint).number(-largest_time_s, largest_time_s);
  cycle.seen.now = moment_from_seconds(time.value_or(0));
  cycle.wall_time = root["wall_time"].number_or_null(0, 253402300799.0);
  cycle.start = root["start"].flag().value_or(false);
  cycle.seen.counters_run = root["counters_run"].flag().value_or(false);
  const auto services = root.required("services", line_hint);
  const auto readings = root.required("readings", line_hint);
  root.note_keys_but({"t", "wall_time", "start", "counters_run", "services", "readings"});
  if (root.failed()) return cycle;
  services.items([&](const JsonNode& item) { add_service(item, cycle); });
  readings.entries(
      [&](std::string_view name, const JsonNode& item) { add_reading(name, item, cycle); });
  return cycle;
}

tl::unexpected<RecordingProblem> no_json(std::size_t column, const std::string& why) {
  return tl::make_unexpected(
      RecordingProblem{column, true, "no JSON: " + why,
                       "a recording has one JSON object a line: mend the line, or take it out"});
}

}  // namespace

tl::expected<DecodedLine, RecordingProblem> cycle_from_line(std::string_view line) {
  std::array<unsigned char, 32768> room;  // NOLINT: what the resource needs is room, not zeros
  json::monotonic_resource memory(room.data(), room.size());
  json::stream_parser parser;
  parser.reset(&memory);
  json::error_code failure;
  const auto consumed = parser.write_some(json::string_view(line.data(), line.size()), failure);
  if (failure) return no_json(consumed + 1, failure.message());
  if (!parser.done()) parser.finish(failure);
  if (failure) return no_json(line.size() + 1, "the line ends in the middle");
  const auto rest = line.find_first_not_of(" \t\r\n", consumed);
  if (rest != std::string_view::npos) {
    return no_json(rest + 1, "something stands behind the object");
  }
  const json::value value = parser.release();
  JsonFindings findings;
  auto cycle = cycle_from_node({value, findings});
  if (findings.failed()) {
    return tl::make_unexpected(RecordingProblem{1, false, findings.message, findings.hint});
  }
  return DecodedLine{std::move(cycle), std::move(findings.unknown_keys)};
}

}  // namespace lvs::monitord
