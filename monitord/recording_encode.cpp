// A cycle -> its line.

#include <fmt/format.h>

#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>
#include <cmath>
#include <iterator>
#include <utility>

#include "loadcalc/further_measures.hpp"
#include "monitord/recording.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {
namespace {

std::string json_string(std::string_view text) {
  return boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

/// Appends `"key":text` and the comma before it where one is due.
void member(std::string& line, std::string_view key, std::string_view text) {
  if (line.back() != '{') line += ',';
  fmt::format_to(std::back_inserter(line), "\"{}\":{}", key, text);
}

/// With the 15 digits that every reader of JSON gives back exactly; a 17th would not survive all.
void member(std::string& line, std::string_view key, const std::optional<double>& number) {
  if (number && std::isfinite(*number)) member(line, key, fmt::format("{:.15g}", *number));
}

void append_destination(std::string& line, const DestinationId& id,
                        const ipvs::Destination& destination, const RecordedCycle& cycle) {
  fmt::format_to(std::back_inserter(line),
                 R"({{"address":"{}","weight":{},"connections":{},"active":{})",
                 ipvs::string_from_destination_key(destination.key), destination.weight,
                 destination.statistics.connections, destination.active_connections);
  if (destination.statistics.in_packets != 0) {
    member(line, "packets", fmt::to_string(destination.statistics.in_packets));
  }
  if (destination.inactive_connections != 0) {
    member(line, "inactive", fmt::to_string(destination.inactive_connections));
  }
  if (destination.forwarding != ipvs::ForwardingMethod::masquerade) {
    member(line, "forwarding", json_string(forwarding_name(destination.forwarding)));
  }
  const auto response = cycle.seen.responses.find({id.service, id.destination});
  if (response != cycle.seen.responses.end()) member(line, "response_s", response->second);
  const auto base = cycle.bases.find(id);
  if (base != cycle.bases.end()) member(line, "base", fmt::to_string(base->second));
  const auto written = cycle.written.find(id);
  if (written != cycle.written.end()) member(line, "written", fmt::to_string(written->second));
  line += '}';
}

void append_service(std::string& line, const ipvs::ServiceEntry& entry,
                    const RecordedCycle& cycle) {
  fmt::format_to(std::back_inserter(line), R"({{"service":"{}","scheduler":{},"destinations":[)",
                 ipvs::string_from_service_key(entry.service.key),
                 json_string(entry.service.scheduler));
  bool first = true;
  for (const auto& destination : entry.destinations) {
    if (!std::exchange(first, false)) line += ',';
    append_destination(line, {entry.service.key, destination.key}, destination, cycle);
  }
  line += "]}";
}

void append_reading(std::string& line, const Reading& reading, Moment now) {
  line += '{';
  member(line, "cpu_busy", reading.cpu_busy);
  member(line, "mem_available", reading.mem_available);
  if (reading.taken < now) member(line, "age", seconds_text(now - reading.taken));
  for (const auto& measure : loadcalc::agent_measures)
    member(line, measure.name, reading.further.*measure.value);
  if (!reading.reason.empty()) member(line, "reason", json_string(reading.reason));
  if (reading.draining) member(line, "draining", "true");
  line += '}';
}

}  // namespace

std::string seconds_text(Moment moment) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto count = moment.count();
  auto text = fmt::format("{}{}.{:09}", count < 0 ? "-" : "", std::abs(count / second),
                          std::abs(count % second));
  const auto last = text.find_last_not_of('0');
  text.resize(text[last] == '.' ? last + 2 : last + 1);
  return text;
}

std::string line_from_cycle(const RecordedCycle& cycle) {
  std::string line = "{";
  member(line, "t", seconds_text(cycle.seen.now));
  if (cycle.wall_time) member(line, "wall_time", fmt::format("{:.3f}", *cycle.wall_time));
  if (cycle.start) member(line, "start", "true");
  if (cycle.seen.counters_run) member(line, "counters_run", "true");
  line += ",\"services\":[";
  bool first = true;
  for (const auto& entry : cycle.seen.table) {
    if (!std::exchange(first, false)) line += ',';
    append_service(line, entry, cycle);
  }
  line += "],\"readings\":{";
  for (const auto& [address, reading] : cycle.seen.readings) {
    if (line.back() != '{') line += ',';
    fmt::format_to(std::back_inserter(line), "\"{}\":", ipvs::string_from_ip_address(address));
    append_reading(line, reading, cycle.seen.now);
  }
  line += "}}\n";
  return line;
}

}  // namespace lvs::monitord
