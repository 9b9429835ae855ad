#include <chrono>
#include <utility>

#include "monitorctl/check_report.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_view.hpp"

namespace lvs::monitorctl {
namespace {

/// monitord's cycles bear the wall clock's time, and both are on one machine.
double wall_time() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_epoch).count();
}

}  // namespace

Printed run(const CheckOptions& options) {
  CheckSights sights{.service = options.service,
                     .table = {},
                     .daemon = daemon_status(options.socket),
                     .now = wall_time()};
  // All of it also for one service: what is not there is a finding and no failure to read.
  if (auto kernel = read_kernel(std::nullopt)) {
    sort_as_ipvsadm(kernel->services);
    sights.table = std::move(kernel->services);
  }
  return printed_check(check_report(sights, options.limits));
}

}  // namespace lvs::monitorctl
