#pragma once

// Carries out a plan: re-reads each service right before, writes, reads back. Holds no decision.

#include <functional>
#include <span>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// Called before each batch of writes, with what is about to happen (the state journal). False: it
/// could not be written down.
using IntentSink = std::function<bool(const ipvs::ServiceKey&, std::span<const WeightChange>)>;

/// Every change is tried; one failure never stops the others. A destination whose weight is no
/// longer `from` (0 above all) is dropped. So is a 0 that could not be written down: after a crash
/// it would be taken for somebody else's and never be undone. Other weights need no record. A
/// service's changes go in batches of
/// ipvs::batch_limit, and the service is read again before each: what somebody else does between
/// that read and the one send of the batch is the only thing that is lost.
std::vector<Applied> apply(const Plan& plan, ipvs::Table& table, const IntentSink& intent);
/// The same answers without a write: --dry-run.
std::vector<Applied> applied_dry(const Plan& plan);

}  // namespace lvs::monitord
