#include <boost/json/serialize.hpp>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/history_text.hpp"

namespace lvs::monitorctl {

Printed run(const EventsOptions& options) {
  const auto document = ask_daemon(options.socket, "events");
  if (!document) return failed_with(exit_status_of(document.error()), document.error().message);
  switch (options.output) {
    case OutputFormat::json:
      return {boost::json::serialize(*document) + "\n"};
    case OutputFormat::csv:
      return {events_csv(*document)};
    case OutputFormat::text:
    case OutputFormat::wide:
      break;
  }
  return {events_text(*document)};
}

}  // namespace lvs::monitorctl
