#include "monitorctl/status_document.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cmath>

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

const json::value* member(const json::object& object, std::string_view key) {
  return object.if_contains(json::string_view(key.data(), key.size()));
}

std::string text(const json::object& object, std::string_view key) {
  const auto* const value = member(object, key);
  if (value == nullptr || !value->is_string()) return {};
  return {value->get_string().data(), value->get_string().size()};
}

std::optional<double> number(const json::object& object, std::string_view key) {
  const auto* const value = member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

/// A whole number from 0 on; anything else is unknown.
std::optional<std::uint64_t> count_of(const json::value& value) {
  json::error_code error;
  const auto count = value.to_number<std::uint64_t>(error);
  if (error) return std::nullopt;
  return count;
}

std::optional<std::uint64_t> count(const json::object& object, std::string_view key) {
  const auto* const value = member(object, key);
  return value == nullptr ? std::nullopt : count_of(*value);
}

bool flag(const json::object& object, std::string_view key) {
  const auto* const value = member(object, key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

const json::array& array(const json::object& object, std::string_view key) {
  static const json::array none;
  const auto* const value = member(object, key);
  return value != nullptr && value->is_array() ? value->get_array() : none;
}

std::vector<loadcalc::Term> terms_from_json(const json::object& object) {
  std::vector<loadcalc::Term> terms;
  const auto* const value = member(object, "terms");
  if (value == nullptr || !value->is_object()) return terms;
  for (const auto& term : value->get_object()) {
    if (!term.value().is_object()) continue;
    const auto coefficient = number(term.value().get_object(), "coefficient");
    const auto measured = number(term.value().get_object(), "value");
    if (coefficient && measured)
      terms.push_back({std::string(term.key()), *coefficient, *measured});
  }
  return terms;
}

DestinationStatus destination_from_json(const json::object& object) {
  DestinationStatus status;
  status.destination = text(object, "destination");
  status.server = text(object, "server");
  status.forwarding = text(object, "forwarding");
  status.reading = text(object, "reading");
  status.outcome = text(object, "outcome");
  status.reason = text(object, "reason");
  status.base = count(object, "base");
  status.current = count(object, "current");
  status.target = count(object, "target");
  status.write = count(object, "write");
  status.new_connections = count(object, "new_connections");
  status.active = count(object, "active");
  status.inactive = count(object, "inactive");
  status.boundary = number(object, "boundary");
  status.age_s = number(object, "age_s");
  status.cpu_busy = number(object, "cpu_busy");
  status.mem_available = number(object, "mem_available");
  status.composite = number(object, "composite");
  status.input = number(object, "input");
  status.completed = number(object, "completed");
  status.capacity = number(object, "capacity");
  status.correction = number(object, "correction");
  for (const auto& measure : loadcalc::further_measures)
    status.further.*measure.value = number(object, measure.name);
  status.strategy = text(object, "strategy");
  status.note = text(object, "note");
  status.ratio_exponent = number(object, "ratio_exponent");
  status.score = number(object, "score");
  status.terms = terms_from_json(object);
  status.wish = number(object, "wish");
  status.eased = number(object, "eased");
  status.scaled = number(object, "scaled");
  return status;
}

ServiceStatus service_from_json(const json::object& object) {
  ServiceStatus status;
  status.service = text(object, "service");
  status.scheduler = text(object, "scheduler");
  for (const auto& one : array(object, "destinations")) {
    if (one.is_object()) status.destinations.push_back(destination_from_json(one.get_object()));
  }
  return status;
}

AppliedStatus applied_from_json(const json::object& object) {
  AppliedStatus status;
  status.service = text(object, "service");
  status.destination = text(object, "destination");
  status.result = text(object, "result");
  status.error = text(object, "error");
  status.from = count(object, "from");
  status.to = count(object, "to");
  return status;
}

Status::Counters counters(const json::object& object, std::string_view key) {
  Status::Counters found;
  const auto* const value = member(object, key);
  if (value == nullptr || !value->is_object()) return found;
  for (const auto& counter : value->get_object()) {
    const auto count = count_of(counter.value());
    if (count) found.emplace_back(std::string(counter.key()), *count);
  }
  return found;
}

void take_daemon(const json::object& object, Status& status) {
  status.version = text(object, "version");
  status.cycle = count(object, "cycle").value_or(0);
  status.wall_time = number(object, "wall_time");
  status.interval_s = number(object, "interval_s");
  status.dry_run = flag(object, "dry_run");
  status.degraded = text(object, "degraded");
  status.writes = count(object, "writes").value_or(0);
  status.failed_writes = count(object, "failed_writes").value_or(0);
  status.suppressed = count(object, "suppressed").value_or(0);
  status.foreign_edits = count(object, "foreign_edits").value_or(0);
  for (const auto& note : array(object, "notes")) {
    if (note.is_string()) status.notes.emplace_back(note.get_string().c_str());
  }
  for (const auto& order : array(object, "orders")) {
    if (order.is_object()) status.orders.push_back(text(order.get_object(), "text"));
  }
  status.polls = counters(object, "polls");
  status.probes = counters(object, "probes");
}

}  // namespace

StatusIndex::StatusIndex(const Status& status) {
  for (const auto& service : status.services) {
    for (const auto& one : service.destinations) {
      entries_.try_emplace({service.service, one.destination}, &one);
    }
  }
}

const DestinationStatus* StatusIndex::find(std::string_view service,
                                           std::string_view destination) const {
  const auto found = entries_.find({service, destination});
  return found == entries_.end() ? nullptr : found->second;
}

tl::expected<boost::json::value, std::string> result_from_answer(std::string_view answer) {
  json::error_code failure;
  const auto document = json::parse(json::string_view(answer.data(), answer.size()), failure);
  if (failure || !document.is_object()) {
    return tl::unexpected("monitord's answer is not understood: " +
                          (failure ? failure.message() : std::string("not an object")));
  }
  const auto& object = document.get_object();
  const auto* const result = member(object, "result");
  if (flag(object, "ok") && result != nullptr) return *result;
  auto message = text(object, "error");
  if (message.empty()) message = "monitord's answer has neither a result nor an error";
  while (message.ends_with('\n')) {
    message.pop_back();
  }
  const auto hint = text(object, "hint");
  if (!hint.empty()) message += "\nhint: " + hint;
  return tl::unexpected(std::move(message));
}

tl::expected<Status, std::string> status_from_json(const boost::json::value& document) {
  if (!document.is_object()) return tl::unexpected(std::string("the status is not an object"));
  const auto& object = document.get_object();
  const auto* const daemon = member(object, "monitord");
  if (daemon == nullptr || !daemon->is_object()) {
    return tl::unexpected(std::string(R"(the status has no object "monitord")"));
  }
  Status status;
  take_daemon(daemon->get_object(), status);
  for (const auto& one : array(object, "services")) {
    if (one.is_object()) status.services.push_back(service_from_json(one.get_object()));
  }
  for (const auto& one : array(object, "applied")) {
    if (one.is_object()) status.applied.push_back(applied_from_json(one.get_object()));
  }
  return status;
}

}  // namespace lvs::monitorctl
