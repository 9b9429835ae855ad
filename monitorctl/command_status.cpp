#include <boost/json/serialize.hpp>
#include <chrono>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/status_text.hpp"
#include "monitord/cycle_clock.hpp"

namespace lvs::monitorctl {
Printed run(const StatusOptions& options) {
  const auto document = ask_daemon(options.socket, "status");
  if (!document) return failed_with(exit_status_of(document.error()), document.error().message);
  if (options.output == OutputFormat::json) return {boost::json::serialize(*document) + "\n"};
  const auto status = status_from_json(*document);
  if (!status) return failed_with(exit_status::failure, status.error());
  return {status_text(*status, monitord::wall_time_now())};
}

}  // namespace lvs::monitorctl
