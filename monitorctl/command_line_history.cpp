// explain, history and events: why a destination has its weight, and how that came.

#include <memory>
#include <string>
#include <vector>

#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"

namespace lvs::monitorctl {
namespace {

/// [SERVICE] DESTINATION, for the options of either command.
template <typename Options>
struct TargetArguments {
  Options options{.socket = default_control_socket};
  ServiceArguments service{};
  std::vector<std::string> names{};
};

template <typename Options>
tl::expected<Command, std::string> command_from(const TargetArguments<Options>& arguments) {
  auto service = arguments.service;
  if (arguments.names.size() == 2) service.name = arguments.names.front();
  const auto key = service_from_arguments(service);
  if (!key) return tl::unexpected(key.error());
  const auto& name = arguments.names.back();
  const auto destination = ipvs::destination_key_from_string(name);
  if (!destination) {
    return tl::unexpected(name + " is no destination: ADDRESS:PORT, IPv6 in [brackets]");
  }
  auto options = arguments.options;
  options.service = *key;
  options.destination = *destination;
  return options;
}

template <typename Options>
void add_target(CLI::App& app, Finishes& finishes,
                const std::vector<std::pair<std::string, OutputFormat>>& formats) {
  auto arguments = std::make_shared<TargetArguments<Options>>();
  app.add_option("names", arguments->names,
                 "tcp:VIP:PORT (or -t, -u, -f), where it is in several, and ADDRESS:PORT")
      ->type_name("[SERVICE] DESTINATION")
      ->expected(1, 2)
      ->required();
  add_service(app, arguments->service);
  add_output(app, arguments->options.output, formats);
  add_socket(app, arguments->options.socket);
  finishes[&app] = [arguments] { return command_from(*arguments); };
}

}  // namespace

void add_explain(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("explain", "Why a destination has the weight it has");
  add_target<ExplainOptions>(app, finishes,
                             {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  app.footer(
      "Examples: monitorctl explain 10.0.0.11:80\n"
      "          monitorctl explain tcp:10.9.9.9:80 10.0.0.11:80\n");
}

void add_history(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("history", "A destination's last hour, a line a minute");
  add_target<HistoryOptions>(
      app, finishes,
      {{"text", OutputFormat::text}, {"json", OutputFormat::json}, {"csv", OutputFormat::csv}});
  app.footer(
      "JSON and CSV have every cycle that monitord kept.\n"
      "Example: monitorctl history 10.0.0.11:80 -o csv >hour.csv\n");
}

void add_events(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("events", "What happened: the last 200 events, oldest first");
  auto options = std::make_shared<EventsOptions>(EventsOptions{.socket = default_control_socket});
  add_output(
      app, options->output,
      {{"text", OutputFormat::text}, {"json", OutputFormat::json}, {"csv", OutputFormat::csv}});
  add_socket(app, options->socket);
  app.footer("Example: monitorctl events | grep 10.0.0.11\n");
  finishes[&app] = [options] { return *options; };
}

}  // namespace lvs::monitorctl
