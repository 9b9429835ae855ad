#pragma once

// What `monitorctl ahp` prints.

#include <string>
#include <vector>

#include "loadcalc/ahp.hpp"

namespace lvs::monitorctl {

/// Coefficients, consistency, and a line for monitord.yaml.
std::string ahp_text(const std::vector<std::string>& criteria,
                     const loadcalc::Priorities& priorities);

/// {"criteria":[{"name":"cpu","coefficient":…},…],"lambda_max":…,"consistency_index":…,
///  "consistency_ratio":…,"consistent":true,
///  "worst":{"row":"cpu","column":"disk","given":…,"fitting":…}}  and a line end; worst may be
///  null.
std::string ahp_json(const std::vector<std::string>& criteria,
                     const loadcalc::Priorities& priorities);

/// Empty when the judgements agree; else what is wrong and which judgement to think over.
std::string ahp_warning(const std::vector<std::string>& criteria,
                        const loadcalc::Priorities& priorities);

}  // namespace lvs::monitorctl
