#include "monitorctl/kernel_failure.hpp"

namespace lvs::monitorctl {

Printed kernel_failed(const ipvs::Error& error, const std::optional<ipvs::ServiceKey>& asked) {
  switch (error.kind) {
    case ipvs::ErrorKind::no_such_service:
      if (asked && asked->is_pool()) {
        return failed_with(exit_status::failure,
                           ipvs::string_from_service_key(*asked) +
                               " is not in the IPVS table: `monitorctl status`, `explain` and "
                               "`top` show pools");
      }
      // ipvsadm's words, and which one.
      return failed_with(
          exit_status::failure,
          "No such service" + (asked ? ": " + ipvs::string_from_service_key(*asked) : ""));
    case ipvs::ErrorKind::no_ipvs:
    case ipvs::ErrorKind::no_permission:
    case ipvs::ErrorKind::timed_out:
      return failed_with(exit_status::unreachable, error.message);
    case ipvs::ErrorKind::no_such_destination:
    case ipvs::ErrorKind::malformed:
    case ipvs::ErrorKind::refused:
      break;
  }
  return failed_with(exit_status::failure, error.message);
}

}  // namespace lvs::monitorctl
