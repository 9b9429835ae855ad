// realserver-agent: tells directors how busy this real server is.

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "realserver-agent/daemon.hpp"
#include "realserver-agent/log.hpp"
#include "realserver-agent/reading_command.hpp"
#include "realserver-agent/setup.hpp"

namespace {

using namespace lvs::agent;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr int exit_config = 78;  ///< EX_CONFIG of sysexits.h

struct Options {
  std::string config{"/etc/realserver-agent/realserver-agent.yaml"};
  std::string root{"/"};
  bool check{};
  std::string before{}, after{};
  std::uint64_t interval_ms{1000};
};

void print_error(const std::string& text) {
  fmt::print(stderr, "realserver-agent: {}\n", text);
}

/// Missing keys are no fault of the configuration: they come later, and from the director.
int check_config(const Options& options) {
  const auto config = load_config(options.config);
  if (!config) {
    fmt::print(stderr, "{}\n", config.error());
    return exit_config;
  }
  if (!config->warnings.empty()) fmt::print(stderr, "{}\n", config->warnings);
  const auto setup = load_setup(options.config);
  if (!setup) fmt::print(stderr, "warning: {}\n", setup.error());
  fmt::print("{}: good\n", options.config);
  return 0;
}

int run_daemon(const Options& options) {
  auto setup = load_setup(options.config);
  if (!setup) {
    print_error(setup.error());
    return exit_config;
  }
  return Daemon{options.config, std::move(*setup), Root{options.root}, make_logger()}.run();
}

int print_reading(const Options& options) {
  if (!options.before.empty()) return print_reading_of(options.before, options.after);
  return print_reading_over(options.root, Config{}.drain_file,
                            std::chrono::milliseconds{options.interval_ms});
}

CLI::App* add_reading(CLI::App& app, Options& options) {
  CLI::App* const reading = app.add_subcommand(
      "reading", "Print one reading as JSON: of this machine, or of two copies of its /proc");
  const std::map<std::string, std::uint64_t> units{{"ms", 1}, {"s", 1000}, {"m", 60000}};
  auto* const interval =
      reading->add_option("--interval", options.interval_ms, "Time between the two samples")
          ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
          ->check(CLI::Range(10, 3600000))
          ->default_str("1s");
  auto* const before =
      reading->add_option("--before", options.before, "Root directory as it was first")
          ->type_name("DIR")
          ->excludes(interval);
  auto* const after =
      reading->add_option("--after", options.after, "Root directory as it was later")
          ->type_name("DIR")
          ->needs(before);
  before->needs(after);
  return reading;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Tells LVS directors how busy this real server is.", "realserver-agent"};
  app.set_version_flag("--version", "realserver-agent " LVS_VERSION);
  app.add_option("-c,--config", options.config, "Configuration file")->capture_default_str();
  app.add_option("--root", options.root, "Read /proc and /sys below this directory")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("-t,--check-config", options.check, "Check the configuration and exit: 0 or 78");
  const CLI::App* const reading = add_reading(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (reading->parsed()) return print_reading(options);
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
