#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/history_text.hpp"
#include "monitorctl/target_choice.hpp"

namespace lvs::monitorctl {

Printed run(const HistoryOptions& options) {
  const auto status = daemon_status(options.socket);
  if (!status) return failed_with(exit_status_of(status.error()), status.error().message);
  const auto target = chosen_target(*status, "history", options.service, options.destination);
  if (!target) return target.error();
  const auto document = ask_daemon(
      options.socket, boost::json::object{{"command", "history"},
                                          {"service", target->service->service},
                                          {"destination", target->destination->destination}});
  if (!document) return failed_with(exit_status_of(document.error()), document.error().message);
  switch (options.output) {
    case OutputFormat::json:
      return {boost::json::serialize(*document) + "\n"};
    case OutputFormat::csv:
      return {history_csv(*document)};
    case OutputFormat::text:
    case OutputFormat::wide:
      break;
  }
  return {history_text(*document)};
}

}  // namespace lvs::monitorctl
