#include <utility>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_failure.hpp"
#include "monitorctl/list_text.hpp"

namespace lvs::monitorctl {
namespace {

bool asks_daemon(const ListOptions& options) {
  return options.output != OutputFormat::text ||
         (options.sort_key && is_of_daemon(*options.sort_key));
}

std::string without_daemon(const ListOptions& options) {
  return options.output == OutputFormat::text ? "not sorted: only monitord knows that order: "
                                              : "the kernel's columns only: ";
}

}  // namespace

Printed run(const ListOptions& options) {
  auto kernel = read_kernel(options.service);
  if (!kernel) return kernel_failed(kernel.error(), options.service);
  if (options.sorted) sort_as_ipvsadm(kernel->services);

  std::optional<Status> status;
  std::string notes = kernel->note;
  if (asks_daemon(options)) {
    auto answer = daemon_status(options.socket);
    if (answer) status = std::move(*answer);
    if (!answer) notes += "monitorctl: " + without_daemon(options) + answer.error().message + "\n";
  }
  if (options.sort_key) {
    sort_destinations(kernel->services, *options.sort_key,
                      status ? StatusIndex(*status) : StatusIndex());
  }
  auto printed = printed_list(options, *kernel, status);
  printed.err = notes + printed.err;
  return printed;
}

}  // namespace lvs::monitorctl
