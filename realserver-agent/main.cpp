// realserver-agent: tells directors how busy this real server is.

#include <exception>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <CLI/CLI.hpp>

#include "cli/exit_status.hpp"
#include "cli/not_empty.hpp"
#include "cli/parse.hpp"
#include "privileges/privileges.hpp"
#include "realserver-agent/daemon.hpp"
#include "realserver-agent/drain_file.hpp"
#include "realserver-agent/interval.hpp"
#include "realserver-agent/log.hpp"
#include "realserver-agent/reading_command.hpp"
#include "realserver-agent/setup.hpp"

namespace {

using namespace lvs::agent;
namespace cli = lvs::cli;

constexpr int exit_failure = cli::exit_status::failure;
constexpr int exit_config = cli::exit_status::bad_file;

struct Options {
  std::string config{"/etc/realserver-agent/realserver-agent.yaml"};
  std::string root{"/"};
  bool check{}, quiet{};
  Overrides overrides{};
  std::string before{}, after{};
  std::string interval{"1s"};
};

void print_error(const std::string& text) {
  fmt::print(stderr, "realserver-agent: {}\n", text);
}

int check_config(const Options& options) {
  const auto check = check_setup(options.config);
  fmt::print(stderr, "{}{}", check.problems, check.warnings);
  if (!check.problems.empty()) return exit_config;
  if (!options.quiet) fmt::print("{}: good\n", options.config);
  return 0;
}

/// It serves with no right at all, whoever starts it.
int run_daemon(const Options& options) {
  auto setup = load_setup(options.config, options.overrides);
  if (!setup) {
    print_error(setup.error());
    return exit_config;
  }
  if (const auto done = lvs::privileges::keep_only({}); !done) {
    print_error(done.error());
    return exit_failure;
  }
  auto log = make_logger();
  set_up_log(*log, setup->config.log_level, setup->config.log_format);
  for (const auto& note : lvs::privileges::notes_about_reload({options.config}))
    log->warn("{}", note);
  return Daemon{options.config, options.overrides, std::move(*setup), Root{options.root},
                std::move(log)}
      .run();
}

int print_reading(const Options& options) {
  if (!options.before.empty()) return print_reading_of(options.before, options.after);
  return print_reading_over(options.root, Config{}.drain_file,
                            interval_from_text(options.interval).value());
}

int change_drain(const Options& options, DrainAnswer (*change)(const std::string&)) {
  const auto config = load_config(options.config);
  if (!config) {
    fmt::print(stderr, "{}\n", config.error());
    return exit_config;
  }
  const auto& file = config->config.drain_file;
  if (file.empty()) {
    print_error(options.config +
                ": drain_file is \"\": this server cannot ask for drain; give it a path there");
    return exit_failure;
  }
  const auto answer = change(options.root == "/" ? file : options.root + file);
  if (!answer.done) {
    print_error(answer.text);
    return exit_failure;
  }
  fmt::print("{}\n", answer.text);
  return 0;
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  CLI::App* const command = app.add_subcommand(name, description);
  command->footer("Example: realserver-agent " + name + "\n");
  command->fallthrough();  // its options may stand on either side of it
  return command;
}

CLI::App* add_reading(CLI::App& app, Options& options) {
  CLI::App* const reading = add_command(
      app, "reading", "Print one reading as JSON: of this machine, or of two copies of its /proc");
  auto* const interval =
      reading
          ->add_option("--interval", options.interval, "Time between the two samples, 10ms to 1h")
          ->type_name("TIME")
          ->check([](const std::string& text) {
            const auto read = interval_from_text(text);
            return read ? std::string{} : read.error();
          })
          ->capture_default_str();
  auto* const before =
      reading->add_option("--before", options.before, "Root directory as it was first")
          ->type_name("DIR")
          ->check(cli::not_empty)
          ->excludes(interval);
  auto* const after =
      reading->add_option("--after", options.after, "Root directory as it was later")
          ->type_name("DIR")
          ->check(cli::not_empty)
          ->needs(before);
  before->needs(after);
  reading->footer(
      "Examples: realserver-agent reading\n"
      "          realserver-agent reading --before copy1 --after copy2\n");
  return reading;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Tells LVS directors how busy this real server is.", "realserver-agent"};
  app.set_version_flag("--version", "realserver-agent " LVS_VERSION);
  app.add_option("-c,--config", options.config, "Configuration file")
      ->type_name("FILE")
      ->check(cli::not_empty)
      ->capture_default_str();
  app.add_option("--root", options.root, "Read /proc and /sys below this directory")
      ->type_name("DIR")
      ->check(cli::not_empty)
      ->capture_default_str();
  app.add_flag("-t,--check-config", options.check, "Check the configuration and exit: 0 or 78");
  app.add_flag("-q,--quiet", options.quiet, "With --check-config: say nothing when it is good");
  app.add_option("--log-level", options.overrides.log_level, "Over the configuration's")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
  app.add_option("--log-format", options.overrides.log_format, "Over the configuration's")
      ->check(CLI::IsMember({"text", "json"}));
  const CLI::App* const reading = add_reading(app, options);
  const CLI::App* const drain =
      add_command(app, "drain", "Ask the directors to drain this server, and go on answering");
  const CLI::App* const ready = add_command(app, "ready", "Ask for that no longer");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit status: 0 done, 1 failed, 2 usage, 78 a configuration with mistakes.\n"
      "Examples: realserver-agent --check-config\n"
      "          realserver-agent reading --interval 5s\n");
  if (const auto status = cli::parse_or_print(app, argc, argv)) return *status;
  if (reading->parsed()) return print_reading(options);
  if (drain->parsed()) return change_drain(options, make_drain_file);
  if (ready->parsed()) return change_drain(options, remove_drain_file);
  return options.check ? check_config(options) : run_daemon(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_failure;
  }
}
