#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"

namespace lvs::monitorctl {

Printed run(const ReloadOptions& options) {
  const auto result = ask_daemon(options.socket, "reload");
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  return {"monitord reloaded its configuration\n"};
}

}  // namespace lvs::monitorctl
