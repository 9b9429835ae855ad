#pragma once

// What the operator is told when the kernel says no. Pure: an errno and its subject go in, one line
// comes out.

#include <cstdint>
#include <string>
#include <string_view>

#include "ipvs/table.hpp"

namespace lvs::ipvs {

Error no_ipvs_error();
Error no_permission_error();
Error no_such_service_error(const ServiceKey& service);
Error no_such_destination_error(const ServiceKey& service, const DestinationKey& destination);
Error malformed_error(std::string message);
/// A weight that the kernel would answer with ERANGE (and an unthrottled line in its log).
Error weight_error(std::uint32_t weight);

/// For errnos without a meaning of their own here; `action` is what was tried ("reading the
/// services"). EPERM becomes no_permission; ETIMEDOUT and ENOBUFS (the
/// answer was lost: what was asked may be done) timed_out; all others refused.
Error error_from_errno(int error_number, std::string_view action);

/// The kernel's answer to GET_SERVICE and GET_DEST: ESRCH is an absent service.
Error read_error_from_errno(int error_number, const ServiceKey& service);

/// The kernel's answer to SET_DEST: ESRCH is an absent service, ENOENT an absent destination. Only
/// for a family id known to be good: on a stale one everything is ENOENT.
Error write_error_from_errno(int error_number, const ServiceKey& service,
                             const DestinationKey& destination);

}  // namespace lvs::ipvs
