#include <boost/json/value.hpp>
#include <string>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

/// A line each, indented; older daemons name none.
std::string lines_from_changes(const json::value& result) {
  const auto* const object = result.if_object();
  const auto* const changes = object == nullptr ? nullptr : object->if_contains("changes");
  if (changes == nullptr || !changes->is_array()) return "";
  if (changes->get_array().empty()) return "  no setting is another one\n";
  std::string lines;
  for (const auto& change : changes->get_array()) {
    if (change.is_string()) lines.append("  ").append(change.get_string()).append("\n");
  }
  return lines;
}

}  // namespace

Printed run(const ReloadOptions& options) {
  const auto result = ask_daemon(options.socket, "reload");
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  return {"monitord reloaded its configuration\n" + lines_from_changes(*result)};
}

}  // namespace lvs::monitorctl
