#pragma once

// Carries out a plan: re-reads each service right before, writes, reads back. Holds no decision.

#include <functional>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// Called before each write, with what is about to happen (the state journal).
using IntentSink = std::function<void(const ipvs::ServiceKey&, const WeightChange&)>;

/// Every change is tried; one failure never stops the others. A destination whose weight is no
/// longer `from` (0 above all) is dropped.
std::vector<Applied> apply(const Plan& plan, ipvs::Table& table, const IntentSink& intent);
/// The same answers without a write: --dry-run.
std::vector<Applied> applied_dry(const Plan& plan);

}  // namespace lvs::monitord
