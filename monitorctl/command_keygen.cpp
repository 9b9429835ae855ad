#include <fmt/format.h>

#include <span>

#include "monitorctl/commands.hpp"
#include "monitorctl/file_output.hpp"
#include "monitorctl/key_file_read.hpp"
#include "monitorctl/random_bytes.hpp"

namespace lvs::monitorctl {
namespace {

/// The director's file is read by the daemon's group, an agent's by nobody but root (systemd hands
/// it to the agent as a credential).
Printed delivered(const KeygenOptions& options, const std::string& yaml) {
  if (options.output.empty()) return {yaml, "", exit_status::ok};
  const bool director = !options.agent;
  const OutputFile file{options.output, director ? mode_t{0640} : mode_t{0600}, options.force,
                        director ? "monitord" : ""};
  const auto written = write_file(file, yaml);
  if (!written) return failed_with(exit_status::failure, written.error());
  const auto warning = written->empty() ? "" : "monitorctl: warning: " + *written + "\n";
  return {"", fmt::format("wrote {}\n{}", options.output, warning), exit_status::ok};
}

}  // namespace

Printed run(const KeygenOptions& options) {
  if (!options.agent) {
    agentproto::Key master{};
    fill_random(std::as_writable_bytes(std::span(master)));
    return delivered(options, director_keys_yaml(master));
  }
  if (const auto fault = fault_of_agent_name(*options.agent); !fault.empty()) {
    return failed_with(exit_status::usage, fault);
  }
  const auto keys = read_stored_keys(options.keys_file);
  if (!keys && keys.error().bad_content) return {"", keys.error().message, exit_status::bad_file};
  if (!keys) {
    const auto hint = keys.error().missing
                          ? "\nhint: monitorctl keygen --output " + options.keys_file +
                                " makes the director's keys first"
                          : "";
    return failed_with(exit_status::failure, keys.error().message + hint);
  }
  const auto yaml = agent_keys_yaml(*keys, *options.agent);
  if (!yaml) return failed_with(exit_status::failure, yaml.error());
  return delivered(options, *yaml);
}

}  // namespace lvs::monitorctl
