#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/not_empty.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"

namespace lvs::monitorctl {

void add_config(CLI::App& root, Finishes& finishes) {
  auto& app =
      *root.add_subcommand("config", "The configuration in effect, and where it comes from");
  auto options = std::make_shared<ConfigOptions>(ConfigOptions{
      .config_file = "/etc/monitord/monitord.yaml", .socket = default_control_socket});
  auto action = std::make_shared<std::string>();
  app.add_option("action", *action, "show prints it as YAML, every value with its origin")
      ->type_name("show")
      ->check(CLI::IsMember({"show"}).description(""))
      ->required();
  auto* const file =
      app.add_option("-c,--config", options->config_file, "The file, with conf.d beside it")
          ->type_name("FILE")
          ->check(cli::not_empty)
          ->capture_default_str();
  app.add_flag("--running", options->running, "What monitord runs with, instead of the files")
      ->excludes(file);
  add_socket(app, options->socket);
  app.footer(
      "Examples: monitorctl config show\n"
      "          monitorctl config show --running | diff - <(monitorctl config show)\n");
  finishes[&app] = [options, action] { return *options; };
}

}  // namespace lvs::monitorctl
