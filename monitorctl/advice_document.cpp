#include <boost/json.hpp>

#include "monitorctl/advice_report.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

json::value number(const std::optional<double>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

/// {"10.0.0.11:80": 2}
json::object weights_json(const ServiceFacts& facts, const Proposal& proposal) {
  json::object weights;
  const auto pool = dealt_to(facts);
  for (std::size_t i = 0; i < pool.size(); ++i)
    weights[pool[i]->name] = proposal.weights[i];
  return weights;
}

void add_ratios(const std::optional<AdviceRatios>& ratios, json::object& out) {
  out["mean_ratio"] = ratios ? json::value(ratios->mean) : json::value(nullptr);
  out["p95_ratio"] = ratios ? json::value(ratios->p95) : json::value(nullptr);
  out["p99_ratio"] = ratios ? json::value(ratios->p99) : json::value(nullptr);
}

json::value support_json(const std::optional<Support>& support) {
  if (!support) return nullptr;
  json::object out{{"row", support->row}, {"outcome", string_from_outcome(support->outcome)}};
  add_ratios(support->ratios, out);
  return out;
}

json::value proposal_json(const ServiceFacts& facts, const Finding& finding) {
  if (!finding.proposal) return nullptr;
  return json::object{{"scheduler", finding.proposal->scheduler},
                      {"weights", weights_json(facts, *finding.proposal)}};
}

json::object finding_json(const Advice& advice, const Finding& finding) {
  return {{"id", finding.id},
          {"severity", string_from_severity(finding.severity)},
          {"seen", finding.seen},
          {"effect", finding.effect},
          {"advice", finding.advice},
          {"commands", json::value_from(finding.commands)},
          {"configuration", json::value_from(finding.configuration)},
          {"proposal", proposal_json(advice.facts, finding)},
          {"simulated", support_json(support_of(finding, advice.simulation))}};
}

json::value simulation_json(const Advice& advice) {
  if (!advice.simulation) return nullptr;
  const auto& simulation = *advice.simulation;
  json::array rows;
  for (std::size_t i = 0; i < simulation.rows.size(); ++i) {
    const auto& row = simulation.rows[i];
    json::object out{{"scheduler", row.proposal.scheduler},
                     {"weights", weights_json(advice.facts, row.proposal)},
                     {"mean_ms", row.figures.mean_ms},
                     {"p95_ms", row.figures.p95_ms},
                     {"p99_ms", row.figures.p99_ms},
                     {"failed", row.figures.failed}};
    add_ratios(ratios_of(simulation, i), out);
    rows.emplace_back(std::move(out));
  }
  return json::object{{"load", simulation.load},
                      {"requests_per_second", simulation.requests_per_s},
                      {"duration_s", simulation.duration_s},
                      {"seeds", simulation.seeds},
                      {"assumed", json::value_from(simulation.assumed)},
                      {"rows", std::move(rows)}};
}

json::object service_json(const Advice& advice) {
  const auto& facts = advice.facts;
  json::array findings;
  for (const auto& finding : advice.findings)
    findings.emplace_back(finding_json(advice, finding));
  const bool nothing = findings.empty();
  return {{"service", facts.name},
          {"scheduler", facts.service.scheduler},
          {"watched_s", facts.watched_s},
          {"connections_per_second", number(facts.rate)},
          {"active", facts.active},
          {"inactive", facts.inactive},
          {"connection_s", number(facts.connection_s)},
          {"steered", facts.steered},
          {"findings", std::move(findings)},
          {"nothing", nothing ? json::value(nothing_text(facts)) : json::value(nullptr)},
          {"simulation", simulation_json(advice)},
          {"not_simulated", text_or_null(advice.not_simulated)}};
}

}  // namespace

std::string advice_json(const std::vector<Advice>& all) {
  json::array services;
  for (const auto& advice : all)
    services.emplace_back(service_json(advice));
  return json::serialize(json::object{{"services", std::move(services)}}) + "\n";
}

}  // namespace lvs::monitorctl
