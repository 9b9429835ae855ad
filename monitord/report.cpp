#include "monitord/report.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "ipvs/types.hpp"
#include "monitord/reasons.hpp"
#include "monitord/strategies.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

/// JSON has no NaN and no infinity: an impossible number is an unknown one.
json::value number(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

json::value number(const std::optional<double>& value) {
  return value ? number(*value) : json::value(nullptr);
}

json::value number(const std::optional<std::uint32_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(std::string_view text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

/// {"CPU":{"coefficient":0.3,"value":0.43},…}
json::object json_from_terms(const std::vector<loadcalc::Term>& terms) {
  json::object object;
  for (const auto& term : terms) {
    object[term.name] =
        json::object{{"coefficient", number(term.coefficient)}, {"value", number(term.value)}};
  }
  return object;
}

json::object json_from_verdict(const Verdict& verdict) {
  json::object object{
      {"destination", ipvs::string_from_destination_key(verdict.destination)},
      {"server", verdict.server},
      {"forwarding", verdict.service.is_pool()
                         ? json::value(nullptr)  // it is no IPVS that forwards
                         : json::value(ipvs::string_from_forwarding_method(verdict.forwarding))},
      {"base", verdict.base},
      {"current", verdict.current},
      {"target", number(verdict.target)},
      {"write", number(verdict.write)},
      {"boundary", number(verdict.boundary)},
      {"reading", string_from_reading_state(verdict.reading)},
      {"age_s", number(verdict.age_s)},
      {"cpu_busy", number(verdict.cpu_busy)},
      {"mem_available", number(verdict.mem_available)},
      {"composite", number(verdict.composite)},
      {"input", number(verdict.input)},
      {"new_connections", verdict.new_connections},
      {"completed", number(verdict.completed)},
      {"active", verdict.active},
      {"inactive", verdict.inactive},
      {"capacity", number(verdict.capacity)},
      {"correction", number(verdict.correction)},
      {"ratio_exponent", number(verdict.ratio_exponent)},
      {"strategy", std::string_view(name_of_strategy(verdict.strategy))},
      {"score", number(verdict.score)},
      {"terms", json_from_terms(verdict.terms)},
      {"note", text_or_null(verdict.note)},
      {"own_zero", verdict.own_zero ? json::value(string_from_zero_cause(*verdict.own_zero))
                                    : json::value(nullptr)},
      {"outcome", string_from_outcome(verdict.outcome)},
      {"reason", reason_of(verdict)},
  };
  for (const auto& measure : loadcalc::further_measures)
    object[measure.name] = number(verdict.further.*measure.value);
  // Last, as whatever is new: scripts count the columns of the CSV.
  object["wish"] = number(verdict.wish);
  object["eased"] = number(verdict.eased);
  object["scaled"] = number(verdict.scaled);
  return object;
}

json::array services_json(const std::vector<Verdict>& verdicts) {
  json::array services;
  std::map<ipvs::ServiceKey, std::size_t> index;
  for (const auto& verdict : verdicts) {
    const auto [place, fresh] = index.try_emplace(verdict.service, services.size());
    if (fresh) {
      services.emplace_back(json::object{
          {"service", ipvs::string_from_service_key(verdict.service)},
          {"scheduler", verdict.scheduler},
          {"persistent_s", verdict.persistent_s},
          {"destinations", json::array{}},
      });
    }
    auto& service = services[place->second].as_object();
    service["destinations"].as_array().emplace_back(json_from_verdict(verdict));
  }
  return services;
}

json::object json_from_counters(const PollCounters& polls) {
  return {
      {"asked", polls.asked},         {"sent", polls.sent},
      {"answered", polls.answered},   {"late", polls.late},
      {"timeouts", polls.timeouts},   {"bad_mac", polls.bad_mac},
      {"bad_nonce", polls.bad_nonce}, {"bad_length", polls.bad_length},
      {"bad_name", polls.bad_name},   {"bad_source", polls.bad_source},
      {"malformed", polls.malformed},
  };
}

json::object json_from_counters(const ProbeCounters& probes) {
  return {
      {"sent", probes.sent},           {"answered", probes.answered},
      {"timeouts", probes.timeouts},   {"failed", probes.failed()},
      {"refused", probes.refused},     {"unreachable", probes.unreachable},
      {"bad_reply", probes.bad_reply}, {"bad_status", probes.bad_status},
  };
}

json::object json_from_counters(const OutputCounters& outputs) {
  return {
      {"answered", outputs.questions.answered},
      {"unknown", outputs.questions.unknown},
      {"malformed", outputs.questions.malformed},
      {"timeouts", outputs.questions.timeouts},
      {"stats_read", outputs.stats.read},
      {"stats_failed", outputs.stats.failed},
      {"nginx_reloaded", outputs.reloads.reloaded},
      {"nginx_test_failed", outputs.reloads.test_failed},
      {"nginx_reload_failed", outputs.reloads.reload_failed},
      {"dns_addresses", outputs.dns.addresses},
      {"dns_other", outputs.dns.other},
      {"dns_malformed", outputs.dns.malformed},
  };
}

json::object json_from_applied(const Applied& applied) {
  return {
      {"service", ipvs::string_from_service_key(applied.service)},
      {"destination", ipvs::string_from_destination_key(applied.change.destination)},
      {"from", applied.change.from},
      {"to", applied.change.to},
      {"result", string_from_result(applied.result)},
      {"error", text_or_null(applied.error)},
  };
}

}  // namespace

std::vector<const Verdict*> verdicts_in_order(const CycleReport& report) {
  const auto id = [](const Verdict* verdict) {
    return std::tie(verdict->service, verdict->destination);
  };
  std::vector<const Verdict*> verdicts;
  verdicts.reserve(report.verdicts.size());
  for (const auto& verdict : report.verdicts)
    verdicts.push_back(&verdict);
  if (!std::ranges::is_sorted(verdicts, {}, id)) std::ranges::sort(verdicts, {}, id);
  return verdicts;
}

std::string_view forwarding_name(ipvs::ForwardingMethod method) {
  switch (method) {
    case ipvs::ForwardingMethod::masquerade:
      return "Masq";
    case ipvs::ForwardingMethod::local_node:
      return "Local";
    case ipvs::ForwardingMethod::tunnel:
      return "Tunnel";
    case ipvs::ForwardingMethod::direct_route:
      return "Route";
    case ipvs::ForwardingMethod::bypass:
      return "Bypass";
  }
  return "Unknown";
}

boost::json::object json_from_report(const CycleReport& report) {
  json::array notes;
  for (const auto& note : report.notes)
    notes.emplace_back(note);
  json::array applied;
  for (const auto& one : report.applied)
    applied.emplace_back(json_from_applied(one));

  json::object monitord{
      {"version", report.version},
      {"cycle", report.cycle},
      {"wall_time", number(report.wall_time)},
      {"interval_s", std::chrono::duration<double>(report.interval).count()},
      {"dry_run", report.dry_run},
      {"degraded", text_or_null(report.degraded)},
      {"notes", std::move(notes)},
      {"polls", json_from_counters(report.polls)},
      {"probes", json_from_counters(report.probes)},
      {"writes", report.writes},
      {"failed_writes", report.failed_writes},
      {"suppressed", report.suppressed},
      {"foreign_edits", report.foreign_edits},
      {"outputs", json_from_counters(report.outputs)},
      {"orders", json_from_orders(report.orders, report.now)},
  };
  json::object document;
  document["monitord"] = std::move(monitord);
  document["services"] = services_json(report.verdicts);
  document["applied"] = std::move(applied);
  return document;
}

}  // namespace lvs::monitord
