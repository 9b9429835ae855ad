#include "monitorctl/probe_report.hpp"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "loadcalc/measures.hpp"
#include "monitorctl/further_text.hpp"
#include "monitorctl/number_text.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

std::optional<double> composite(const agentproto::Measured& measured) {
  if (!measured.cpu_busy || !measured.mem_available) return std::nullopt;
  return loadcalc::composite_load({*measured.cpu_busy, *measured.mem_available}, {});
}

double seconds_between(const agentproto::Sample& before, const agentproto::Sample& after) {
  return (static_cast<double>(after.boottime_ns) - static_cast<double>(before.boottime_ns)) / 1e9;
}

/// A sample carries the moment at which it was taken.
bool same_sample(const ProbeReport& report) {
  return report.before.boot_id == report.after.boot_id &&
         report.before.boottime_ns == report.after.boottime_ns;
}

agentproto::Measured measured_from_report(const ProbeReport& report) {
  auto measured = agentproto::measured_from_samples(report.before, report.after);
  if (same_sample(report)) {
    measured.reason =
        "the agent took no sample between the two questions: make --interval longer than its "
        "sample_interval (1s by default, at most 5s); " +
        measured.reason;
  }
  return measured;
}

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<9} {}\n", label, text);
}

std::string flags_text(const agentproto::Sample& sample) {
  std::string text;
  if (sample.draining) text += line("draining", "the agent asks for no new connections");
  if (sample.first) text += line("first", "this is the agent's first sample since its start");
  if (sample.partial) text += line("partial", "the agent left out what it could not trust");
  return text;
}

std::string boot_id_text(const agentproto::BootId& id) {
  std::string text;
  for (std::size_t byte = 0; byte < id.size(); ++byte) {
    if (byte == 4 || byte == 6 || byte == 8 || byte == 10) text += '-';
    text += fmt::format("{:02x}", id[byte]);
  }
  return text;
}

std::string memory_text(const agentproto::Memory& memory) {
  return fmt::format("{} of {} MiB available, swap {} of {} MiB free", memory.available_kb / 1024,
                     memory.total_kb / 1024, memory.swap_free_kb / 1024,
                     memory.swap_total_kb / 1024);
}

json::value number(const std::optional<double>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value memory_json(const std::optional<agentproto::Memory>& memory) {
  if (!memory) return nullptr;
  return json::object{{"total_kb", memory->total_kb},
                      {"available_kb", memory->available_kb},
                      {"swap_total_kb", memory->swap_total_kb},
                      {"swap_free_kb", memory->swap_free_kb}};
}

json::value run_queue_json(const std::optional<agentproto::RunQueue>& queue) {
  if (!queue) return nullptr;
  return json::object{{"load1", static_cast<double>(queue->load1_x100) / 100},
                      {"procs_running", queue->procs_running},
                      {"procs_blocked", queue->procs_blocked}};
}

}  // namespace

std::string probe_text(const ProbeReport& report) {
  const auto measured = measured_from_report(report);
  const auto& sample = report.after;
  auto text = fmt::format("{} at {} answered in {:.1f} ms\n", report.name, report.target,
                          report.round_trip_ms);
  text += line("C", number_text(measured.cpu_busy, 3) + "  CPU occupancy" +
                        fmt::format(" over {:.2f} s", seconds_between(report.before, sample)) +
                        (sample.cpu ? fmt::format(", {} CPU{}", sample.cpu->cpus,
                                                  sample.cpu->cpus == 1 ? "" : "s")
                                    : ""));
  text += line("M", number_text(measured.mem_available, 3) + "  free-memory rate");
  text += line("F", number_text(composite(measured), 3) + "  0.6*(1-C)+0.4*M");
  text += line("further", further_text(measured.further));
  if (!measured.reason.empty()) text += line("unknown", measured.reason);
  if (sample.memory) text += line("memory", memory_text(*sample.memory));
  if (sample.run_queue) {
    text +=
        line("load", fmt::format("{:.2f}, {} running, {} blocked",
                                 static_cast<double>(sample.run_queue->load1_x100) / 100,
                                 sample.run_queue->procs_running, sample.run_queue->procs_blocked));
  }
  text += line("up", fmt::format("{:.0f} s, boot {}", static_cast<double>(sample.boottime_ns) / 1e9,
                                 boot_id_text(sample.boot_id)));
  return text + flags_text(sample);
}

std::string probe_json(const ProbeReport& report) {
  const auto measured = measured_from_report(report);
  const auto& sample = report.after;
  json::object document{
      {"agent", report.target},
      {"server", report.name},
      {"round_trip_ms", report.round_trip_ms},
      {"interval_s", seconds_between(report.before, sample)},
      {"cpu_busy", number(measured.cpu_busy)},
      {"mem_available", number(measured.mem_available)},
      {"composite", number(composite(measured))},
      {"reason", measured.reason.empty() ? json::value(nullptr) : json::value(measured.reason)},
      {"cpus", sample.cpu ? json::value(sample.cpu->cpus) : json::value(nullptr)},
      {"memory", memory_json(sample.memory)},
      {"run_queue", run_queue_json(sample.run_queue)},
      {"boot_id", boot_id_text(sample.boot_id)},
      {"boottime_s", static_cast<double>(sample.boottime_ns) / 1e9},
      {"draining", sample.draining},
      {"first", sample.first},
      {"partial", sample.partial}};
  for (const auto& measure : loadcalc::agent_measures)
    document[measure.name] = number(measured.further.*measure.value);
  return json::serialize(document) + "\n";
}

}  // namespace lvs::monitorctl
