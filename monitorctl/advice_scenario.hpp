#pragma once

// A pool for the simulator that does what a service was seen to do. Pure.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "clustersim/scenario.hpp"
#include "monitorctl/advice.hpp"

namespace lvs::monitorctl {

struct AdviceScenario {
  /// Servers in the order in which they were added, base weights those of now.
  clustersim::Scenario scenario{};
  /// Of each server: its place in dealt_to().
  std::vector<std::size_t> pool_index{};
  double load{};     ///< share of what the pool can take
  double slowed{1};  ///< so many times slower than seen, costs in the same measure
  std::vector<std::string> assumed{};  ///< sentences without a full stop
};

/// The error says why it cannot be simulated.
tl::expected<AdviceScenario, std::string> scenario_from(const ServiceFacts& facts);

/// The scheduler that stands for the service's own; lc is wlc without weights.
Proposal simulated_now(const ServiceFacts& facts);

/// What is tried beside what is there: the proposals of the findings, and sed with equal weights.
std::vector<Proposal> proposals_of(const ServiceFacts& facts, const std::vector<Finding>& findings);

/// `planned` with the weights and the scheduler of a proposal.
clustersim::Scenario scenario_of(const AdviceScenario& planned, const Proposal& proposal);

}  // namespace lvs::monitorctl
