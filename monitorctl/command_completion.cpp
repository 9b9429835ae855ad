#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "monitorctl/commands.hpp"
#include "monitorctl/completion_words.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/proc_ip_vs.hpp"

namespace lvs::monitorctl {
namespace {

/// Somebody waits at a key.
constexpr std::chrono::milliseconds patience{300};

std::string socket_of(const CompletionWordsOptions& options) {
  for (const auto& [name, value] : options.completion.options) {
    if (name == "--socket" && !value.empty()) return value;
  }
  const char* const named = std::getenv("MONITORCTL_SOCKET");
  return named == nullptr || *named == '\0' ? options.socket : named;
}

/// From the daemon, which knows names, else from the file that everybody may read. Silent: a shell
/// that completes is no place for messages.
std::vector<KnownService> known_services(const std::string& socket, const std::string& root) {
  if (const auto document = ask_daemon(socket, "status", patience)) {
    if (const auto status = status_from_json(*document)) return known_from_status(*status);
  }
  const auto table = read_proc_table(root);
  return table ? known_from_table(table->services) : std::vector<KnownService>{};
}

}  // namespace

Printed run(const CompletionOptions& options) {
  return {cli::completion_script(options.shell, "monitorctl")};
}

Printed run(const CompletionWordsOptions& options, const std::string& root) {
  const auto& completion = options.completion;
  const auto known = needs_table(completion) ? known_services(socket_of(options), root)
                                             : std::vector<KnownService>{};
  return {cli::completion_text(completion, [&](const std::string& name) {
    return candidates_for(name, completion, known);
  })};
}

}  // namespace lvs::monitorctl
