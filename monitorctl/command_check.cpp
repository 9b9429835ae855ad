#include <chrono>
#include <utility>

#include "monitorctl/check_report.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitord/cycle_clock.hpp"

namespace lvs::monitorctl {
Printed run(const CheckOptions& options) {
  CheckSights sights{.service = options.service,
                     .table = {},
                     .daemon = daemon_status(options.socket),
                     .now = monitord::wall_time_now()};
  // All of it also for one service: what is not there is a finding and no failure to read.
  if (auto kernel = read_kernel(std::nullopt)) {
    sort_as_ipvsadm(kernel->services);
    sights.table = std::move(kernel->services);
  }
  return printed_check(check_report(sights, options.limits));
}

}  // namespace lvs::monitorctl
