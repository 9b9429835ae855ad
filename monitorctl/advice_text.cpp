#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "monitorctl/advice_parts.hpp"
#include "monitorctl/advice_report.hpp"
#include "monitorctl/number_text.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::size_t width = 100;
constexpr auto part_format = "   {:<10}{}\n";
constexpr std::size_t part_indent = 13;

/// `text` in lines of at most `width`, each after the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string part(std::string_view name, std::string_view text) {
  return fmt::format(part_format, name, wrapped(text, part_indent));
}

/// One below the other, the name before the first. Commands are not broken: they are copied.
std::string commands_text(const Finding& finding) {
  std::string text;
  for (const auto& line : finding.commands)
    text += fmt::format(part_format, text.empty() ? "type" : "", line);
  return text;
}

std::string configuration_text(const Finding& finding) {
  std::string text;
  for (const auto& line : finding.configuration)
    text += part(text.empty() ? "also" : "", line);
  return text;
}

std::string summary_of(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  auto text =
      fmt::format("{} {}, weights {}; seen for {:.0f} s: ", facts.name, facts.service.scheduler,
                  text_or_dash(weights_text(weights_of(pool))), facts.watched_s);
  if (facts.rate) text += fmt::format("{:.3g} new connections/s, ", *facts.rate);
  if (facts.connection_s) text += fmt::format("each open for {:.2g} s, ", *facts.connection_s);
  text += fmt::format("{:.3g} active and {:.0f} inactive at a time", facts.active, facts.inactive);
  return text;
}

std::string support_text(const Support& support) {
  auto ratios = fmt::format("row {}: mean x {:.2f}, p95 x {:.2f}, p99 x {:.2f}", support.row + 1,
                            support.ratios.mean, support.ratios.p95, support.ratios.p99);
  switch (support.outcome) {
    case Outcome::better:
      return ratios;
    case Outcome::alike:
      return ratios + ": no difference worth a change";
    case Outcome::worse:
      break;
  }
  return ratios + ": worse, leave it";
}

std::string finding_text(const Advice& advice, std::size_t number) {
  const auto& finding = advice.findings[number];
  auto text = fmt::format("\n{}. {} ({})\n", number + 1, finding.id,
                          string_from_severity(finding.severity));
  text += part("seen", finding.seen);
  text += part("effect", finding.effect);
  const auto support = support_of(finding, advice.simulation);
  text += part("advice", finding.advice);
  if (support) text += part("simulated", support_text(*support));
  if (support && support->outcome == Outcome::worse) return text;
  return text + commands_text(finding) + configuration_text(finding);
}

std::string ratio_text(const std::optional<AdviceRatios>& ratios, double AdviceRatios::*which) {
  return ratios ? fmt::format("{:.2f}", (*ratios).*which) : "-";
}

std::string latency_text(double ms) {
  constexpr double large = 1000;
  return number_text(ms, ms < large ? 1 : 0);
}

std::string simulation_text(const AdviceSimulation& simulation) {
  constexpr auto row_format = "{:>4} {:<5} {:<27} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>7}\n";
  auto text = fmt::format(
      "\nSimulated: {:.3g} requests/s for {:.0f} s at load {:.2f}, medians of {} seeds; "
      "x: of row 1\n",
      simulation.requests_per_s, simulation.duration_s, simulation.load, simulation.seeds);
  text += fmt::format(row_format, "row", "sched", "weights", "mean_ms", "p95_ms", "p99_ms",
                      "x mean", "x p95", "x p99", "failed");
  for (std::size_t i = 0; i < simulation.rows.size(); ++i) {
    const auto& row = simulation.rows[i];
    const auto ratios = ratios_of(simulation, i);
    const auto weights = weights_text(row.proposal.weights) + (i == 0 ? " (now)" : "");
    text += fmt::format(row_format, i + 1, row.proposal.scheduler, weights,
                        latency_text(row.figures.mean_ms), latency_text(row.figures.p95_ms),
                        latency_text(row.figures.p99_ms), ratio_text(ratios, &AdviceRatios::mean),
                        ratio_text(ratios, &AdviceRatios::p95),
                        ratio_text(ratios, &AdviceRatios::p99), number_text(row.figures.failed, 0));
  }
  text += "Assumed:\n";
  for (const auto& sentence : simulation.assumed)
    text += "  - " + wrapped(sentence, 4) + "\n";
  return text + "It compares; it does not say how many milliseconds your users will see.\n";
}

std::string service_text(const Advice& advice) {
  auto text = wrapped(summary_of(advice.facts), 0) + "\n";
  if (advice.findings.empty()) text += wrapped(nothing_text(advice.facts), 0) + "\n";
  for (std::size_t i = 0; i < advice.findings.size(); ++i)
    text += finding_text(advice, i);
  if (advice.simulation) return text + simulation_text(*advice.simulation);
  if (advice.not_simulated.empty()) return text;
  return text + "\n" + wrapped("Not simulated: " + advice.not_simulated, 0) + "\n";
}

}  // namespace

std::string advice_text(const std::vector<Advice>& all) {
  std::string text;
  for (const auto& advice : all)
    text += (text.empty() ? "" : "\n") + service_text(advice);
  return text;
}

}  // namespace lvs::monitorctl
