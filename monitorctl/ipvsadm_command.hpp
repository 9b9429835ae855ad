#pragma once

// What to type to change one thing of the table and nothing else: ipvsadm's -E and -e replace all
// of a service or destination, so everything that is there is named again. Pure.

#include <cstdint>
#include <string>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// "ipvsadm -E -t 10.9.9.9:80 -s sed -p 360 -M 255.255.255.0": `service` as it is to be. Flags that
/// belong to sh and mh are left out for other schedulers.
std::string edit_service_command(const ipvs::Service& service);

/// "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 2 -x 1000 -y 800": `destination` as it is to
/// be.
std::string edit_destination_command(const ipvs::ServiceKey& service,
                                     const ipvs::Destination& destination);

}  // namespace lvs::monitorctl
