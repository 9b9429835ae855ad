#include "monitorctl/list_text.hpp"

#include <boost/json/serialize.hpp>

#include "monitorctl/list_document.hpp"
#include "monitorctl/wide_table.hpp"

namespace lvs::monitorctl {

Printed printed_list(const ListOptions& options, const KernelView& kernel,
                     const std::optional<Status>& status) {
  switch (options.output) {
    case OutputFormat::json:
      return {boost::json::serialize(list_json(kernel, status)) + "\n"};
    case OutputFormat::csv:
      return {list_csv(kernel, status)};
    case OutputFormat::text:
    case OutputFormat::wide:
      break;
  }
  if (!kernel.complete && options.format.listing != Listing::standard) {
    return failed_with(exit_status::failure,
                       "these columns are not in /proc/net/ip_vs: they need CAP_NET_ADMIN (root)");
  }
  auto text = options.service ? "" : version_line(kernel.info);
  if (options.output == OutputFormat::text) {
    return {text + listing_text(kernel.services, options.format)};
  }
  if (status) text += daemon_line(*status) + "\n";
  return {text + wide_table(kernel, status)};
}

}  // namespace lvs::monitorctl
