#include "support.hpp"

#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "monitord/cycle_log.hpp"

namespace lvs::monitord::testing {

using namespace std::chrono_literals;

namespace {

constexpr double first_wall_time = 1800000000;

Verdict steered(std::uint64_t number) {
  auto steered = verdict("tcp 10.9.9.9:80", "10.0.0.11:80");
  // Half a turn in a minute.
  steered.cpu_busy = 0.5 + 0.3 * std::sin(static_cast<double>(number) / 10);
  steered.composite = 0.6 * (1 - *steered.cpu_busy) + 0.4 * *steered.mem_available;
  steered.further.response_s = 0.02;
  steered.current = number % 10 < 5 ? 10 : 14;
  steered.target = number % 10 < 4 ? 10 : 14;
  if (number % 10 == 4) {
    steered.write = 14;
    steered.outcome = Outcome::change;
    steered.reason = "C 0.50 M 0.50: target 14 differs from 10 by more than 1.0";
  }
  return steered;
}

Verdict silent() {
  auto silent = verdict("tcp 10.9.9.9:80", "10.0.0.12:80");
  silent.reading = ReadingState::silent;
  silent.age_s = 12.5;
  silent.cpu_busy = silent.mem_available = silent.composite = {};
  silent.target = {};
  silent.new_connections = 10;
  silent.outcome = Outcome::silent_hold;
  silent.reason = "last reading 12.5 s ago: weight held";
  return silent;
}

Verdict drained() {
  auto drained = verdict("tcp 10.9.9.9:80", "10.0.0.13:80");
  drained.current = 0;
  drained.target = {};
  drained.new_connections = 0;
  drained.active = 0;
  drained.outcome = Outcome::drained;
  drained.reason = "weight 0 in the kernel: drained by somebody else, hands off";
  return drained;
}

/// An agent's name is what somebody wrote into a configuration.
Verdict hostile() {
  auto hostile = verdict("tcp 10.9.9.9:80", "10.0.0.14:80");
  hostile.server = "<script>alert(\"1\")</script> & 'x'";
  hostile.cpu_busy = 0.97;
  hostile.outcome = Outcome::within_boundary;
  hostile.strategy = StrategyKind::feedback;
  hostile.score = 1.25;
  hostile.terms = {{"CPU", 0.75, 1.5}, {"DISK", 0.25, 0.5}};
  return hostile;
}

}  // namespace

ipvs::ServiceKey service_key(std::string_view text) {
  const auto key = ipvs::service_key_from_string(text);
  if (!key) throw std::invalid_argument(std::string(text));
  return *key;
}

ipvs::DestinationKey destination_key(std::string_view text) {
  const auto key = ipvs::destination_key_from_string(text);
  if (!key) throw std::invalid_argument(std::string(text));
  return *key;
}

DestinationId id(std::string_view service, std::string_view destination) {
  return {service_key(service), destination_key(destination)};
}

Verdict verdict(std::string_view service, std::string_view destination) {
  Verdict made;
  made.service = service_key(service);
  made.destination = destination_key(destination);
  made.scheduler = "wrr";
  made.server = ipvs::string_from_ip_address(made.destination.address);
  made.base = 10;
  made.current = 10;
  made.target = 10;
  made.boundary = 1;
  made.reading = ReadingState::fresh;
  made.age_s = 0.75;
  made.cpu_busy = 0.25;
  made.mem_available = 0.5;
  made.composite = 0.65;
  made.new_connections = 30;
  made.active = 7;
  made.inactive = 90;
  made.outcome = Outcome::unchanged;
  made.reason = "C 0.25 M 0.50 F 0.65 INPUT 1.00: the weight is right";
  return made;
}

CycleReport report(std::uint64_t number) {
  CycleReport made;
  made.cycle = number;
  made.now = 1000s + number * 2s;
  made.wall_time = first_wall_time + 2.0 * static_cast<double>(number);
  made.version = "1.2.3";
  made.verdicts = {steered(number),
                   silent(),
                   drained(),
                   hostile(),
                   verdict("fwm 7", "10.0.0.11:0"),
                   verdict("udp [fd00::9]:53", "[fd00::11]:53")};
  if (made.verdicts.front().write) {
    made.applied = {{service_key("tcp 10.9.9.9:80"),
                     {destination_key("10.0.0.11:80"), 10, 14, made.verdicts.front().reason, {}},
                     Applied::Result::written,
                     {}}};
  }
  made.notes = {"no keys at /etc/monitord/keys.yaml"};
  made.orders.pins[id("fwm 7", "10.0.0.11:0")] = {10, {}, {}};
  made.polls = {.asked = 5 * number,
                .sent = 6 * number,
                .answered = 4 * number,
                .late = 1,
                .timeouts = number,
                .bad_mac = 2};
  made.probes = {.sent = 3, .answered = 2, .timeouts = 1};
  made.writes = number / 10;
  made.failed_writes = 1;
  made.suppressed = number;
  made.foreign_edits = 2;
  return made;
}

Published published(std::uint64_t cycles) {
  Published made;
  auto before = std::make_shared<const CycleReport>();
  for (std::uint64_t number = 1; number <= cycles; ++number) {
    auto now = std::make_shared<const CycleReport>(report(number));
    for (auto& line : lines_from_cycle(*before, *now))
      made.history.add(HistoryEvent{now->wall_time, std::move(line)});
    made.history.add(*now);
    made.facts.cycle_times.add(0.004);
    made.facts.poll_times.add(0.0008);
    before = now;
  }
  made.report = before;
  made.facts.host = "lvs1";
  made.facts.config_file = "/etc/monitord/monitord.yaml";
  made.facts.kernel = "1.2.1";
  made.facts.started = first_wall_time - 90000;
  made.facts.loaded = first_wall_time - 3600;
  return made;
}

}  // namespace lvs::monitord::testing
