#include <boost/json/value.hpp>
#include <chrono>
#include <string>

#include "monitorctl/commands.hpp"
#include "monitorctl/config_input.hpp"
#include "monitorctl/control_client.hpp"
#include "monitord/config_text.hpp"
#include "monitord/config_yaml.hpp"

namespace lvs::monitorctl {
namespace {

/// A table of thousands of services takes a while to be written down.
constexpr std::chrono::seconds patience{30};

Printed of_daemon(const std::string& socket) {
  const auto result = ask_daemon(socket, "config", patience);
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  const auto* const object = result->if_object();
  const auto* const text = object == nullptr ? nullptr : object->if_contains("config");
  if (text == nullptr || !text->is_string()) {
    return failed_with(exit_status::failure, "monitord answered without a configuration");
  }
  return {std::string(text->get_string())};
}

}  // namespace

Printed run(const ConfigOptions& options) {
  if (options.running) return of_daemon(options.socket);
  auto files = config_files_from_argument(options.config_file);
  if (!files) return files.error();
  const auto document = monitord::document_from_files(*std::move(files));
  const auto config = monitord::config_from_node(document.root());
  auto said = strictyaml::string_from_problems(document.problems());
  if (document.has_errors()) return {"", std::move(said), exit_status::bad_file};
  return {monitord::yaml_from_config(config, document.root()), std::move(said)};
}

}  // namespace lvs::monitorctl
