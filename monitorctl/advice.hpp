#pragma once

// What `monitorctl advise` has to say about a service, as values.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clustersim/summary.hpp"
#include "monitorctl/service_facts.hpp"

namespace lvs::monitorctl {

enum class Severity {
  warning,  ///< does harm now
  advice,   ///< something else would serve better
  note,     ///< good to know
};
const char* string_from_severity(Severity severity);

/// A scheduler and the weights of the destinations above 0, in the order of dealt_to().
struct Proposal {
  std::string scheduler{};
  std::vector<std::uint32_t> weights{};

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

/// What a rule has found. Texts are sentences without a full stop.
struct Finding {
  std::string id{};  ///< "wrr_bursts"
  Severity severity{Severity::advice};
  std::string seen{};    ///< what was seen, with the numbers
  std::string effect{};  ///< what that does
  std::string advice{};
  std::vector<std::string> commands{};       ///< to type as they are
  std::vector<std::string> configuration{};  ///< "monitord.yaml: boundary: 20%"
  std::optional<Proposal> proposal{};        ///< what a simulation can try
};

/// How a proposal did in the simulation.
struct AdviceRow {
  Proposal proposal{};
  clustersim::Figures figures{};  ///< medians over the seeds
};

/// The first row is what is there now.
struct AdviceSimulation {
  std::vector<AdviceRow> rows{};
  std::vector<std::string> assumed{};
  double load{};
  double requests_per_s{};
  double duration_s{};
  std::size_t seeds{};
};

/// All about one service.
struct Advice {
  ServiceFacts facts{};
  std::vector<Finding> findings{};  ///< the worst first
  std::optional<AdviceSimulation> simulation{};
  std::string not_simulated{};  ///< why not; empty: it was, or was not asked for
};

/// Ratios to the first row.
struct AdviceRatios {
  double mean{}, p95{}, p99{};
};
std::optional<AdviceRatios> ratios_of(const AdviceSimulation& simulation, std::size_t row);

enum class Outcome { better, alike, worse };
const char* string_from_outcome(Outcome outcome);
/// By the mean: 5 % are nothing. The row of a proposal that was simulated, and what it says.
struct Support {
  std::size_t row{};
  AdviceRatios ratios{};
  Outcome outcome{};
};
std::optional<Support> support_of(const Finding& finding,
                                  const std::optional<AdviceSimulation>& simulation);

/// What the simulation does not bear out is no more than a note. Sorts the worst first.
void judge(Advice& advice);

/// Why there is no finding, in a sentence.
std::string nothing_text(const ServiceFacts& facts);

}  // namespace lvs::monitorctl
