#include <utility>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/list_text.hpp"

namespace lvs::monitorctl {
namespace {

Printed kernel_failed(const ipvs::Error& error, const std::optional<ipvs::ServiceKey>& asked) {
  switch (error.kind) {
    case ipvs::ErrorKind::no_such_service:
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

}  // namespace

Printed run(const ListOptions& options) {
  auto kernel = read_kernel(options.service);
  if (!kernel) return kernel_failed(kernel.error(), options.service);
  if (options.sorted) sort_as_ipvsadm(kernel->services);

  std::optional<Status> status;
  std::string notes = kernel->note;
  if (options.output != OutputFormat::text) {
    auto answer = daemon_status(options.socket);
    if (answer) status = std::move(*answer);
    if (!answer) notes += "monitorctl: the kernel's columns only: " + answer.error().message + "\n";
  }
  auto printed = printed_list(options, *kernel, status);
  printed.err = notes + printed.err;
  return printed;
}

}  // namespace lvs::monitorctl
