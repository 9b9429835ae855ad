#include "monitorctl/commands.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_failure.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitorctl/save_text.hpp"

namespace lvs::monitorctl {

Printed run(const SaveOptions& options) {
  auto kernel = read_kernel(options.service);
  if (!kernel) return kernel_failed(kernel.error(), options.service);
  sort_as_ipvsadm(kernel->services);
  return printed_save(*kernel);
}

}  // namespace lvs::monitorctl
