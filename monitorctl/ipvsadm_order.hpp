#pragma once

// The order in which ipvsadm lists services and destinations.

#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// Services by mark, family, protocol, address, port; destinations by address and port.
///
/// libipvs compares addresses and marks by the sign of a 32-bit difference, so those that are more
/// than 2^31 apart come in the "wrong" order: 192.168.0.1 before 10.0.0.1. Scripts compare whole
/// listings, so that order is kept.
void sort_as_ipvsadm(std::vector<ipvs::ServiceEntry>& services);

}  // namespace lvs::monitorctl
