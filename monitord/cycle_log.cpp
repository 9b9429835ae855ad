#include "monitord/cycle_log.hpp"
#include "monitord/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace lvs::monitord {
namespace {

using Id = std::pair<ipvs::ServiceKey, ipvs::DestinationKey>;
using Index = std::vector<const Verdict*>;

Id id_of(const Verdict* verdict) {
  return {verdict->service, verdict->destination};
}

const Verdict* find(const Index& index, const Id& id) {
  const auto found = std::ranges::lower_bound(index, id, {}, id_of);
  return found == index.end() || id_of(*found) != id ? nullptr : *found;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

LogLine line_about(LogLevel level, std::string event, const ipvs::ServiceKey& service,
                   const ipvs::DestinationKey& destination) {
  return {level,
          std::move(event),
          {{"service", ipvs::string_from_service_key(service)},
           {"destination", ipvs::string_from_destination_key(destination)}}};
}

void add_numbers(LogLine& line, const Verdict& verdict) {
  line.fields.emplace_back("C", number(verdict.cpu_busy));
  line.fields.emplace_back("M", number(verdict.mem_available));
  line.fields.emplace_back("F", number(verdict.composite));
  line.fields.emplace_back("INPUT", number(verdict.input));
  line.fields.emplace_back("capacity", number(verdict.capacity));
  line.fields.emplace_back("base", fmt::format("{}", verdict.base));
}

struct ResultWords {
  LogLevel level{};
  std::string_view event{};
};

ResultWords words_of(Applied::Result result) {
  switch (result) {
    case Applied::Result::written:
      return {LogLevel::info, "weight"};
    case Applied::Result::dry_run:
      return {LogLevel::info, "would_write"};
    case Applied::Result::changed_meanwhile:
      return {LogLevel::info, "write_dropped"};
    case Applied::Result::gone:
      return {LogLevel::info, "destination_gone"};
    case Applied::Result::failed:
      return {LogLevel::warning, "write_failed"};
    case Applied::Result::overwritten:
      return {LogLevel::warning, "overwritten"};
    case Applied::Result::unrecorded:
      return {LogLevel::warning, "zero_postponed"};
  }
  return {LogLevel::warning, "write_failed"};
}

/// A dry run never gets its way, so it proposes the same change in every cycle: said once.
bool is_proposed_again(const Applied& applied, const Verdict* before) {
  return applied.result == Applied::Result::dry_run && before != nullptr &&
         before->write == applied.change.to && before->current == applied.change.from;
}

/// A 0 that waits for the disk is tried in every cycle: said once.
bool is_postponed_again(const Applied& applied, const CycleReport& previous) {
  if (applied.result != Applied::Result::unrecorded) return false;
  return std::ranges::any_of(previous.applied, [&](const Applied& before) {
    return before.result == applied.result && before.service == applied.service &&
           before.change.destination == applied.change.destination;
  });
}

void add_applied(std::vector<LogLine>& lines, const CycleReport& previous,
                 const CycleReport& report, const Index& before, const Index& now) {
  for (const auto& applied : report.applied) {
    const Id id{applied.service, applied.change.destination};
    if (is_proposed_again(applied, find(before, id))) continue;
    if (is_postponed_again(applied, previous)) continue;
    lines.push_back(line_from_applied(applied, find(now, id)));
  }
}

void add_table(std::vector<LogLine>& lines, const CycleReport& previous,
               const CycleReport& report) {
  if (report.degraded == previous.degraded) return;
  if (report.degraded.empty()) {
    lines.push_back({LogLevel::info, "table_readable", {}});
  } else {
    lines.push_back({LogLevel::error, "table_unreadable", {{"error", report.degraded}}});
  }
}

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

/// A note that only counts on is no news.
void add_notes(std::vector<LogLine>& lines, const CycleReport& previous,
               const CycleReport& report) {
  std::set<std::string> known;
  for (const auto& note : previous.notes)
    known.insert(without_digits(note));
  for (const auto& note : report.notes) {
    if (!known.contains(without_digits(note)))
      lines.push_back({LogLevel::warning, "note", {{"text", note}}});
  }
}

using ReadingStates = std::map<std::pair<ipvs::IpAddress, std::string>, ReadingState>;

bool is_watched(const Verdict& verdict) {
  return !is_left_alone(verdict.outcome);
}

/// Of those real servers: one with many destinations speaks once.
ReadingStates reading_states(const CycleReport& report, const std::set<ipvs::IpAddress>& servers) {
  ReadingStates states;
  for (const auto& verdict : report.verdicts) {
    if (!servers.contains(verdict.destination.address)) continue;
    if (!is_watched(verdict)) continue;
    states.try_emplace({verdict.destination.address, verdict.server}, verdict.reading);
  }
  return states;
}

/// Those about which there may be something to say.
std::set<ipvs::IpAddress> perhaps_changed(const Index& before, const Index& now) {
  std::set<ipvs::IpAddress> servers;
  for (const auto* verdict : now) {
    const auto* old = find(before, id_of(verdict));
    const bool same = old != nullptr && old->reading == verdict->reading &&
                      is_watched(*old) == is_watched(*verdict) && old->server == verdict->server;
    if (!same) servers.insert(verdict->destination.address);
  }
  return servers;
}

void add_readings(std::vector<LogLine>& lines, const CycleReport& previous,
                  const CycleReport& report, const std::set<ipvs::IpAddress>& servers) {
  if (servers.empty()) return;
  const auto before = reading_states(previous, servers);
  for (const auto& [server, state] : reading_states(report, servers)) {
    const auto known = before.find(server);
    const auto old = known == before.end() ? ReadingState::none : known->second;
    if (old == state) continue;
    lines.push_back({state == ReadingState::silent ? LogLevel::warning : LogLevel::info,
                     "reading",
                     {{"server", server.second},
                      {"address", ipvs::string_from_ip_address(server.first)},
                      {"old", std::string(string_from_reading_state(old))},
                      {"new", std::string(string_from_reading_state(state))}}});
  }
}

std::map<ipvs::ServiceKey, bool> frozen_services(const CycleReport& report) {
  std::map<ipvs::ServiceKey, bool> frozen;
  for (const auto& verdict : report.verdicts) {
    // Right after the start nobody can have answered yet: that is no event.
    frozen[verdict.service] |=
        verdict.outcome == Outcome::frozen && verdict.reading != ReadingState::none;
  }
  return frozen;
}

void add_frozen(std::vector<LogLine>& lines, const CycleReport& previous,
                const CycleReport& report) {
  const auto before = frozen_services(previous);
  for (const auto& [service, frozen] : frozen_services(report)) {
    const auto known = before.find(service);
    const bool was = known != before.end() && known->second;
    if (was == frozen) continue;
    lines.push_back({frozen ? LogLevel::warning : LogLevel::info,
                     frozen ? "frozen" : "thawed",
                     {{"service", ipvs::string_from_service_key(service)}}});
  }
}

/// Drains and foreign writes: what somebody else did to a destination.
void add_foreign(std::vector<LogLine>& lines, const CycleReport& report, const Index& before) {
  for (const auto& verdict : report.verdicts) {
    const auto* old = find(before, {verdict.service, verdict.destination});
    const bool drained = verdict.outcome == Outcome::drained;
    const bool was_drained = old != nullptr && old->outcome == Outcome::drained;
    std::optional<std::string> event;
    if (drained != was_drained) event = drained ? "drained" : "undrained";
    if (verdict.outcome == Outcome::foreign && !event) event = "foreign_write";
    if (!event) continue;
    auto line = line_about(LogLevel::info, *event, verdict.service, verdict.destination);
    line.fields.emplace_back("weight", fmt::format("{}", verdict.current));
    line.fields.emplace_back("base", fmt::format("{}", verdict.base));
    line.fields.emplace_back("verdict", string_from_outcome(verdict.outcome));
    line.fields.emplace_back("reason", reason_of(verdict));
    lines.push_back(std::move(line));
  }
}

}  // namespace

LogLine line_from_applied(const Applied& applied, const Verdict* verdict) {
  const auto words = words_of(applied.result);
  auto line = line_about(words.level, std::string(words.event), applied.service,
                         applied.change.destination);
  line.fields.emplace_back("old", fmt::format("{}", applied.change.from));
  line.fields.emplace_back("new", fmt::format("{}", applied.change.to));
  if (verdict != nullptr) {
    add_numbers(line, *verdict);
    line.fields.emplace_back("verdict", string_from_outcome(verdict->outcome));
  }
  line.fields.emplace_back("reason", applied.change.reason);
  if (!applied.error.empty()) line.fields.emplace_back("error", applied.error);
  return line;
}

std::vector<LogLine> lines_from_cycle(const CycleReport& previous, const CycleReport& report) {
  std::vector<LogLine> lines;
  add_notes(lines, previous, report);
  add_table(lines, previous, report);
  // Without a table there are no verdicts, and their absence says nothing about the servers.
  if (!report.degraded.empty()) return lines;
  const auto before = verdicts_in_order(previous);
  const auto now = verdicts_in_order(report);
  add_readings(lines, previous, report, perhaps_changed(before, now));
  add_frozen(lines, previous, report);
  add_foreign(lines, report, before);
  add_applied(lines, previous, report, before, now);
  return lines;
}

std::vector<LogLine> lines_from_refusal(std::string_view problems) {
  constexpr std::string_view hint = "hint: ";
  std::vector<LogLine> lines;
  while (!problems.empty()) {
    const auto end = std::min(problems.find('\n'), problems.size());
    const auto line = problems.substr(0, end);
    problems.remove_prefix(std::min(end + 1, problems.size()));
    const auto text = line.find_first_not_of(' ');
    if (text == 0) {
      lines.push_back({LogLevel::error, "reload_refused", {{"problem", std::string(line)}}});
    } else if (!lines.empty() && text != std::string_view::npos &&
               line.substr(text).starts_with(hint)) {
      lines.back().fields.emplace_back("hint", line.substr(text + hint.size()));
    }
  }
  return lines;
}

std::vector<LogLine> lines_from_faults(const PollCounters& logged, const PollCounters& now,
                                       const std::map<std::string_view, std::string>& last_from) {
  using Kind = std::pair<std::string_view, std::uint64_t PollCounters::*>;
  constexpr std::array<Kind, 6> kinds{{{"bad_mac", &PollCounters::bad_mac},
                                       {"bad_nonce", &PollCounters::bad_nonce},
                                       {"bad_length", &PollCounters::bad_length},
                                       {"bad_name", &PollCounters::bad_name},
                                       {"bad_source", &PollCounters::bad_source},
                                       {"malformed", &PollCounters::malformed}}};
  std::vector<LogLine> lines;
  for (const auto& [kind, counter] : kinds) {
    const auto count = now.*counter - logged.*counter;
    if (count == 0) continue;
    const auto from = last_from.find(kind);
    lines.push_back({LogLevel::warning,
                     "bad_reply",
                     {{"kind", std::string(kind)},
                      {"count", fmt::format("{}", count)},
                      {"last_from", from == last_from.end() ? "-" : from->second}}});
  }
  return lines;
}

}  // namespace lvs::monitord
