#include "monitord/metrics.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/metric_families.hpp"
#include "monitord/pool_summary.hpp"

namespace lvs::monitord {
namespace {

constexpr auto gauge = MetricType::Gauge;
constexpr auto counter = MetricType::Counter;

double as_number(bool value) {
  return value ? 1 : 0;
}

double as_number(std::uint64_t value) {
  return static_cast<double>(value);
}

/// Those of node_exporter's ipvs collector; what has no name in it by its number. A mark may be
/// used once for IPv4 and once for IPv6.
std::string protocol_name(const ipvs::ServiceKey& service) {
  if (service.is_fwmark()) return service.family == ipvs::Family::inet6 ? "FWM6" : "FWM";
  switch (service.protocol) {
    case ipvs::Protocol::tcp:
      return "TCP";
    case ipvs::Protocol::udp:
      return "UDP";
    case ipvs::Protocol::sctp:
      return "SCTP";
    case ipvs::Protocol::none:
      break;
  }
  return fmt::format("{}", static_cast<unsigned>(service.protocol));
}

struct Backend {
  const Verdict* verdict{};
  Labels labels{};
};

using Number = double (*)(const Verdict&);

double or_none(const std::optional<double>& value) {
  return value.value_or(HistoryPoint::unknown);
}

struct BackendFamily {
  std::string_view name{}, help{};
  Number number{};
};

constexpr std::array<BackendFamily, 13> backend_families{{
    {"monitord_backend_weight", "Weight in the kernel.",
     [](const Verdict& v) { return double{1} * v.current; }},
    {"monitord_backend_base_weight", "Weight that the operator meant; 0: not yet known.",
     [](const Verdict& v) { return double{1} * v.base; }},
    {"monitord_backend_target_weight", "Weight that the strategy wants.",
     [](const Verdict& v) { return v.target ? double{1} * *v.target : or_none({}); }},
    {"monitord_backend_cpu_utilization_ratio", "CPU occupancy C, 0 to 1.",
     [](const Verdict& v) { return or_none(v.cpu_busy); }},
    {"monitord_backend_memory_available_ratio", "Free-memory rate M, 0 to 1.",
     [](const Verdict& v) { return or_none(v.mem_available); }},
    {"monitord_backend_spare_capacity_ratio", "Spare capacity F, 1 is idle.",
     [](const Verdict& v) { return or_none(v.composite); }},
    {"monitord_backend_input_ratio", "New connections over the mean of the pool (INPUT).",
     [](const Verdict& v) { return v.input; }},
    {"monitord_backend_connections_active", "Active connections in the kernel's table.",
     [](const Verdict& v) { return double{1} * v.active; }},
    {"monitord_backend_connections_inactive", "Inactive connections in the kernel's table.",
     [](const Verdict& v) { return double{1} * v.inactive; }},
    {"monitord_backend_reading_age_seconds", "Age of the last reading of its agent.",
     [](const Verdict& v) { return or_none(v.age_s); }},
    {"monitord_backend_reading_up", "1: its agent answers in time.",
     [](const Verdict& v) {
       return as_number(v.reading == ReadingState::fresh || v.reading == ReadingState::stale);
     }},
    {"monitord_backend_response_seconds", "Mean response time of the probes.",
     [](const Verdict& v) { return or_none(v.further.response_s); }},
    {"monitord_backend_own_zero", "1: its weight of 0 is of monitord's own doing.",
     [](const Verdict& v) { return as_number(v.own_zero.has_value()); }},
}};

void add_backends(MetricFamilies& families, const CycleReport& report) {
  std::vector<Backend> backends;
  backends.reserve(report.verdicts.size());
  for (const auto& verdict : report.verdicts)
    backends.push_back({&verdict, backend_labels({verdict.service, verdict.destination})});
  for (const auto& family : backend_families) {
    families.family(family.name, gauge, family.help);
    for (const auto& backend : backends)
      families.sample(family.number(*backend.verdict), backend.labels);
  }
  families.family("monitord_backend_outcome", gauge,
                  "1 for the outcome of the last cycle and the name of the agent.");
  for (const auto& backend : backends) {
    const auto& verdict = *backend.verdict;
    auto labels =
        labels_with(backend.labels, "outcome", std::string(string_from_outcome(verdict.outcome)));
    families.sample(1, labels_with(std::move(labels), "server", verdict.server));
  }
}

struct PoolFamily {
  std::string_view name{}, help{};
  double (*number)(const PoolSummary&){};
};

constexpr std::array<PoolFamily, 4> pool_families{{
    {"monitord_service_spare_capacity_ratio", "Mean F of the destinations that answer.",
     [](const PoolSummary& p) { return or_none(p.spare); }},
    {"monitord_service_overloaded",
     "1: every destination that answers is near its limit, more weight helps none.",
     [](const PoolSummary& p) { return as_number(p.overloaded); }},
    {"monitord_service_idle", "1: every destination that answers has next to nothing to do.",
     [](const PoolSummary& p) { return as_number(p.idle); }},
    {"monitord_service_frozen", "1: too many are silent, nothing is written.",
     [](const PoolSummary& p) {
       for (const auto& member : p.members) {
         if (member.verdict->outcome == Outcome::frozen) return 1.0;
       }
       return 0.0;
     }},
}};

void add_pools(MetricFamilies& families, const Published& published) {
  const auto pools = pools_of(*published.report, published.history);
  families.family("monitord_service_destinations", gauge, "Destinations by what they do.");
  for (const auto& pool : pools) {
    const auto labels = service_labels(pool.service);
    families.sample(as_number(std::uint64_t{pool.weighted}),
                    labels_with(labels, "state", "weighted"));
    families.sample(as_number(std::uint64_t{pool.drained}),
                    labels_with(labels, "state", "drained"));
    families.sample(as_number(std::uint64_t{pool.silent}), labels_with(labels, "state", "silent"));
  }
  for (const auto& family : pool_families) {
    families.family(family.name, gauge, family.help);
    for (const auto& pool : pools)
      families.sample(family.number(pool), service_labels(pool.service));
  }
}

void add_polls(MetricFamilies& families, const PollCounters& polls) {
  families.family("monitord_polls_total", counter, "Questions to agents by what became of them.");
  families.sample(as_number(polls.answered - polls.late), {{"result", "answered"}});
  families.sample(as_number(polls.timeouts), {{"result", "timeout"}});
  families.family("monitord_late_replies_total", counter,
                  "Replies after the deadline: used, and counted as timeouts before.");
  families.sample(as_number(polls.late));
  families.family("monitord_poll_requests_total", counter, "Requests sent, second tries included.");
  families.sample(as_number(polls.sent));
  families.family("monitord_replies_rejected_total", counter, "Datagrams that were not believed.");
  families.sample(as_number(polls.bad_mac), {{"reason", "bad_mac"}});
  families.sample(as_number(polls.bad_nonce), {{"reason", "bad_nonce"}});
  families.sample(as_number(polls.bad_length), {{"reason", "bad_length"}});
  families.sample(as_number(polls.bad_name), {{"reason", "bad_name"}});
  families.sample(as_number(polls.bad_source), {{"reason", "bad_source"}});
  families.sample(as_number(polls.malformed), {{"reason", "malformed"}});
}

void add_probes(MetricFamilies& families, const ProbeCounters& probes) {
  families.family("monitord_probes_total", counter, "Response-time probes by what became of them.");
  families.sample(as_number(probes.answered), {{"result", "answered"}});
  families.sample(as_number(probes.timeouts), {{"result", "timeout"}});
  families.sample(as_number(probes.refused), {{"result", "refused"}});
  families.sample(as_number(probes.unreachable), {{"result", "unreachable"}});
  families.sample(as_number(probes.bad_reply), {{"result", "bad_reply"}});
  families.sample(as_number(probes.bad_status), {{"result", "bad_status"}});
}

void add_outputs(MetricFamilies& families, const OutputCounters& outputs) {
  families.family("monitord_haproxy_questions_total", counter,
                  "Questions of HAProxy's agent-check by what became of them.");
  const auto& questions = outputs.questions;
  families.sample(as_number(questions.answered), {{"result", "answered"}});
  families.sample(as_number(questions.unknown), {{"result", "unknown"}});
  families.sample(as_number(questions.malformed), {{"result", "malformed"}});
  families.sample(as_number(questions.timeouts), {{"result", "timeout"}});
  families.family("monitord_haproxy_stats_reads_total", counter,
                  "Readings of HAProxy's stats sockets by what became of them.");
  families.sample(as_number(outputs.stats.read), {{"result", "read"}});
  families.sample(as_number(outputs.stats.failed), {{"result", "failed"}});
  families.family("monitord_nginx_reloads_total", counter,
                  "Weights given to nginx by what became of them.");
  families.sample(as_number(outputs.reloads.reloaded), {{"result", "reloaded"}});
  families.sample(as_number(outputs.reloads.test_failed), {{"result", "test_failed"}});
  families.sample(as_number(outputs.reloads.reload_failed), {{"result", "reload_failed"}});
  families.family("monitord_dns_questions_total", counter,
                  "Questions of PowerDNS's remote backend by what became of them.");
  families.sample(as_number(outputs.dns.addresses), {{"result", "address"}});
  families.sample(as_number(outputs.dns.other), {{"result", "other"}});
  families.sample(as_number(outputs.dns.malformed), {{"result", "malformed"}});
}

void add_one(MetricFamilies& families, std::string_view name, MetricType type,
             std::string_view help, double value) {
  families.family(name, type, help);
  families.sample(value);
}

void add_writes(MetricFamilies& families, const CycleReport& report) {
  add_one(families, "monitord_weight_writes_total", counter, "Weights written.",
          as_number(report.writes));
  add_one(families, "monitord_weight_write_failures_total", counter,
          "Writes that were refused, or whose destination was gone.",
          as_number(report.failed_writes));
  add_one(families, "monitord_weight_writes_suppressed_total", counter,
          "Targets within the boundary or waiting, and not written.", as_number(report.suppressed));
  add_one(families, "monitord_foreign_edits_total", counter, "Weights that somebody else changed.",
          as_number(report.foreign_edits));
  families.family("monitord_orders", gauge, "Orders by hand that stand.");
  const auto& orders = report.orders;
  families.sample(
      as_number(std::uint64_t{orders.pauses.size()}) + as_number(orders.everything.has_value()),
      {{"order", "pause"}});
  families.sample(as_number(std::uint64_t{orders.pins.size()}), {{"order", "pin"}});
  families.sample(as_number(std::uint64_t{orders.drains.size()}), {{"order", "drain"}});
}

void add_daemon(MetricFamilies& families, const Published& published) {
  const auto& report = *published.report;
  const auto& facts = published.facts;
  families.family("monitord_build_info", gauge, "1, with the version.");
  families.sample(1, {{"version", report.version}});
  add_one(families, "monitord_start_time_seconds", gauge, "When monitord started.", facts.started);
  add_one(families, "monitord_dry_run", gauge, "1: decides and writes nothing.",
          as_number(report.dry_run));
  add_one(families, "monitord_degraded", gauge, "1: the table cannot be read.",
          as_number(!report.degraded.empty()));
  add_one(families, "monitord_notes", gauge, "Things that a person should look at.",
          as_number(std::uint64_t{report.notes.size()}));
  add_one(families, "monitord_interval_seconds", gauge, "Time between two cycles.",
          std::chrono::duration<double>(facts.interval).count());
  add_one(families, "monitord_cycles_total", counter, "Cycles since the start.",
          as_number(report.cycle));
  add_one(families, "monitord_last_cycle_timestamp_seconds", gauge, "When the last cycle ended.",
          report.wall_time);
  add_one(families, "monitord_config_last_reload_successful", gauge,
          "0: the last reload was refused and the configuration before it is in force.",
          as_number(facts.reload_problem.empty()));
  add_one(families, "monitord_config_last_reload_success_timestamp_seconds", gauge,
          "When the configuration in force was read.", facts.loaded);
  families.histogram("monitord_cycle_duration_seconds",
                     "From the reading of the table to the last write.", facts.cycle_times);
  families.histogram("monitord_poll_duration_seconds", "From a question to the reply to it.",
                     facts.poll_times);
}

}  // namespace

Labels service_labels(const ipvs::ServiceKey& service) {
  const bool mark = service.is_fwmark();
  if (service.is_pool()) {
    return {{"local_address", std::string(service.pool.text())},
            {"local_port", "0"},
            {"local_mark", ""},
            {"proto", "POOL"}};
  }
  return {{"local_address", mark ? "" : ipvs::string_from_ip_address(service.address)},
          {"local_port", fmt::format("{}", mark ? 0 : service.port)},
          {"local_mark", mark ? fmt::format("{:08X}", service.fwmark) : ""},
          {"proto", protocol_name(service)}};
}

Labels backend_labels(const DestinationId& id) {
  auto labels = labels_with(service_labels(id.service), "remote_address",
                            ipvs::string_from_ip_address(id.destination.address));
  return labels_with(std::move(labels), "remote_port", fmt::format("{}", id.destination.port));
}

std::string metrics_from_published(const Published& published) {
  MetricFamilies families;
  add_daemon(families, published);
  add_polls(families, published.report->polls);
  add_probes(families, published.report->probes);
  add_outputs(families, published.report->outputs);
  add_writes(families, *published.report);
  add_pools(families, published);
  add_backends(families, *published.report);
  return std::move(families).text();
}

}  // namespace lvs::monitord
