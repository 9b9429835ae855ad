#include "monitorctl/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvs::monitorctl {
namespace {

constexpr double alike_within = 0.05;

Outcome outcome_of(double ratio) {
  if (ratio < 1 - alike_within) return Outcome::better;
  return ratio > 1 + alike_within ? Outcome::worse : Outcome::alike;
}

}  // namespace

const char* string_from_severity(Severity severity) {
  switch (severity) {
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "advice";
    case Severity::note:
      break;
  }
  return "note";
}

const char* string_from_outcome(Outcome outcome) {
  switch (outcome) {
    case Outcome::better:
      return "better";
    case Outcome::alike:
      return "alike";
    case Outcome::worse:
      break;
  }
  return "worse";
}

std::optional<AdviceRatios> ratios_of(const AdviceSimulation& simulation, std::size_t row) {
  const auto& now = simulation.rows.front().figures;
  const auto& other = simulation.rows[row].figures;
  if (now.mean_ms <= 0 || now.p95_ms <= 0 || now.p99_ms <= 0) return std::nullopt;
  return AdviceRatios{other.mean_ms / now.mean_ms, other.p95_ms / now.p95_ms,
                      other.p99_ms / now.p99_ms};
}

std::optional<Support> support_of(const Finding& finding,
                                  const std::optional<AdviceSimulation>& simulation) {
  if (!simulation || !finding.proposal) return std::nullopt;
  const auto& rows = simulation->rows;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const AdviceRow& row) {
    return row.proposal == *finding.proposal;
  });
  if (found == rows.end()) return std::nullopt;
  const auto row = static_cast<std::size_t>(found - rows.begin());
  const auto ratios = ratios_of(*simulation, row);
  if (!ratios) return std::nullopt;
  return Support{row, *ratios, outcome_of(ratios->mean)};
}

void judge(Advice& advice) {
  for (auto& finding : advice.findings) {
    const auto support = support_of(finding, advice.simulation);
    if (support && support->outcome != Outcome::better) finding.severity = Severity::note;
  }
  std::stable_sort(advice.findings.begin(), advice.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
}

std::string nothing_text(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  if (pool.empty()) return "nothing to say: no destination has a weight above 0";
  if (pool.size() == 1) {
    return "nothing to say: one destination has a weight above 0, and there is nothing to choose";
  }
  if (facts.complete && facts.rate == 0.0) {
    return fmt::format(
        "nothing to say: no new connection came in {:g} s; look again when there are some, or for "
        "longer (--for 60s)",
        facts.watched_s);
  }
  const std::string fits =
      "nothing to say: its scheduler, its weights and what was seen of its connections fit "
      "together";
  return facts.complete ? fits : fits + ", as far as that can be told without counters";
}

}  // namespace lvs::monitorctl
