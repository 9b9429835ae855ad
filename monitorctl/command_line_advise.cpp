// Arguments of `monitorctl advise`.

#include <chrono>
#include <memory>
#include <string>

#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::monitorctl {
namespace {

struct AdviseArguments {
  AdviseOptions options{.socket = default_control_socket};
  ServiceArguments service{};
  std::string watched{"10s"};
  bool no_simulation{};
};

tl::expected<Command, std::string> advise_command(const AdviseArguments& arguments) {
  auto options = arguments.options;
  const auto service = service_from_arguments(arguments.service);
  if (!service) return tl::unexpected(service.error());
  options.service = *service;
  const auto watched = strictyaml::duration_ns_from_string(arguments.watched);
  using namespace std::chrono_literals;
  const auto time = std::chrono::nanoseconds(watched.value_or(0));
  if (time < 1s || time > 1h) {
    return tl::unexpected(
        arguments.watched +
        " is no time from 1s to 1h to watch: write 10s, 2m (the kernel renews its "
        "counters every 2 s)");
  }
  options.watched = time;
  options.simulation = !arguments.no_simulation;
  return options;
}

}  // namespace

void add_advise(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("advise", "What would serve a service better, with figures");
  auto arguments = std::make_shared<AdviseArguments>();
  auto& options = arguments->options;
  add_service(app, arguments->service);
  app.add_option("service", arguments->service.name, "One service: tcp:VIP:PORT, fwm:MARK, ...")
      ->type_name("SERVICE");
  app.add_option("--for", arguments->watched, "How long to watch its connections")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_flag("--no-simulation", arguments->no_simulation, "The findings alone, without figures");
  constexpr unsigned most_jobs = 1024;
  app.add_option("--jobs", options.jobs, "Runs at a time; default: one per CPU")
      ->type_name("N")
      ->check(CLI::Range(1U, most_jobs).description(""));
  app.add_flag("--no-progress", options.no_progress, "Not even where stderr is a terminal");
  add_output(app, options.output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  add_socket(app, options.socket);
  app.footer(
      "It changes nothing: what to type is printed. Figures come from the simulator.\n"
      "Examples: monitorctl advise tcp:10.9.9.9:80\n"
      "          monitorctl advise -t 10.9.9.9:80 --for 60s -o json\n"
      "          monitorctl advise --no-simulation\n");
  finishes[&app] = [arguments] { return advise_command(*arguments); };
}

}  // namespace lvs::monitorctl
