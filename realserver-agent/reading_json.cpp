#include "realserver-agent/reading_json.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace lvs::agent {
namespace {

namespace json = boost::json;

json::value number_or_null(const std::optional<double>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

/// The agent knows more than the wire says: what it left out, and why.
std::string reason_for(const agentproto::Measured& measured, const std::vector<Problem>& problems) {
  std::string reason;
  for (const Problem& problem : problems) {
    const bool about_cpu = problem.kind == Problem::Kind::cpu && !measured.cpu_busy;
    const bool about_memory = problem.kind == Problem::Kind::memory && !measured.mem_available;
    if (!about_cpu && !about_memory) continue;
    if (!reason.empty()) reason += "; ";
    reason += problem.text;
  }
  return reason.empty() ? measured.reason : reason;
}

json::object limits_object(const agentproto::CgroupLimits& limits) {
  json::object object;
  if (limits.cpus_x1000 != 0) object["cpus"] = static_cast<double>(limits.cpus_x1000) / 1000;
  if (limits.memory_limit_kb != 0) {
    object["memory_limit_kb"] = limits.memory_limit_kb;
    object["memory_used_kb"] = limits.memory_used_kb;
  }
  return object;
}

json::object object_from_reading(const agentproto::Sample& before, const agentproto::Sample& after,
                                 const std::vector<Problem>& problems) {
  const auto measured = agentproto::measured_from_samples(before, after);
  json::object object;
  object["cpu_busy"] = number_or_null(measured.cpu_busy);
  object["mem_available"] = number_or_null(measured.mem_available);
  if (!measured.cpu_busy || !measured.mem_available) {
    object["reason"] = reason_for(measured, problems);
  }
  for (const auto& measure : loadcalc::agent_measures)
    object[measure.name] = number_or_null(measured.further.*measure.value);
  object["interval_s"] = static_cast<double>(after.boottime_ns - before.boottime_ns) / 1e9;
  object["draining"] = after.draining;
  if (after.cpu) object["cpus"] = after.cpu->cpus;
  if (after.memory) {
    object["memory_total_kb"] = after.memory->total_kb;
    object["memory_available_kb"] = after.memory->available_kb;
  }
  if (after.run_queue) {
    object["load1"] = after.run_queue->load1_x100 / 100.0;
    object["procs_running"] = after.run_queue->procs_running;
    object["procs_blocked"] = after.run_queue->procs_blocked;
  }
  if (after.cgroup) object["container"] = limits_object(*after.cgroup);
  return object;
}

/// Boost.JSON writes 0.25 as 2.5E-1: right, but not for people.
std::string text_from_value(const json::value& value) {
  return value.is_double() ? fmt::format("{}", value.get_double()) : json::serialize(value);
}

std::string text_from_object(const json::object& object, std::string_view indent) {
  std::string text = "{";
  std::string_view separator = "\n";
  const std::string inner = std::string{indent} + "  ";
  for (const auto& member : object) {
    const json::value& value = member.value();
    text += fmt::format(
        "{}{}{}: {}", separator, inner, json::serialize(json::string(member.key())),
        value.is_object() ? text_from_object(value.get_object(), inner) : text_from_value(value));
    separator = ",\n";
  }
  return text + fmt::format("\n{}}}", indent);
}

}  // namespace

std::string json_from_reading(const agentproto::Sample& before, const agentproto::Sample& after,
                              const std::vector<Problem>& problems) {
  return text_from_object(object_from_reading(before, after, problems), "") + "\n";
}

}  // namespace lvs::agent
