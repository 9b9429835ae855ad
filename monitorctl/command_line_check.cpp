// Arguments of `monitorctl check`.

#include <memory>
#include <string>

#include "monitorctl/alert_range.hpp"
#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "monitorctl/control_client.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

/// One pair of thresholds, as typed.
struct Thresholds {
  std::string name{};  ///< "silent": --warn-silent, --crit-silent
  std::string unit{};
  std::string what{};
  std::string warning{}, critical{};
  AlertRanges CheckLimits::*limits{};
};

struct CheckArguments {
  CheckOptions options{.socket = default_control_socket};
  ServiceArguments service{};
  std::vector<Thresholds> thresholds{
      {"silent", "%", "Share of a service's destinations that are silent", "20%", "50%",
       &CheckLimits::silent},
      {"cpu", "%", "Mean CPU occupancy of a service's destinations", "90%", "95%",
       &CheckLimits::cpu},
  };
  std::string age_warning{}, age_critical{};
};

tl::expected<AlertRange, std::string> range_from(const std::string& text, const std::string& option,
                                                 const std::string& unit) {
  const auto range = alert_range_from_text(text, unit);
  if (range) return *range;
  return tl::unexpected(option + ": " + strictyaml::in_quotes(text) + " is no range: 20" + unit +
                        ", 10:20, ~:20 or @10:20");
}

/// Of the age: as typed, or what follows from monitord's interval.
tl::expected<std::optional<AlertRange>, std::string> age_from(const std::string& text,
                                                              const std::string& option) {
  if (text.empty()) return std::optional<AlertRange>{};
  const auto range = range_from(text, option, "s");
  if (!range) return tl::unexpected(range.error());
  return std::optional(*range);
}

tl::expected<Command, std::string> check_command(const CheckArguments& arguments) {
  auto options = arguments.options;
  const auto service = service_from_arguments(arguments.service);
  if (!service) return tl::unexpected(service.error());
  options.service = *service;
  for (const auto& one : arguments.thresholds) {
    const auto warning = range_from(one.warning, "--warn-" + one.name, one.unit);
    if (!warning) return tl::unexpected(warning.error());
    const auto critical = range_from(one.critical, "--crit-" + one.name, one.unit);
    if (!critical) return tl::unexpected(critical.error());
    options.limits.*one.limits = {*warning, *critical};
  }
  const auto warning = age_from(arguments.age_warning, "--warn-age");
  if (!warning) return tl::unexpected(warning.error());
  const auto critical = age_from(arguments.age_critical, "--crit-age");
  if (!critical) return tl::unexpected(critical.error());
  options.limits.age_warning = *warning;
  options.limits.age_critical = *critical;
  return options;
}

}  // namespace

void add_check(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("check", "A plugin for Nagios and Icinga: is all well?");
  auto arguments = std::make_shared<CheckArguments>();
  app.add_option("--service", arguments->service.name, "One service: tcp:VIP:PORT, fwm:MARK, ...")
      ->type_name("SERVICE");
  add_service(app, arguments->service);
  for (auto& one : arguments->thresholds) {
    app.add_option("--warn-" + one.name, one.warning, one.what)
        ->type_name("RANGE")
        ->capture_default_str();
    app.add_option("--crit-" + one.name, one.critical, "The same, critical")
        ->type_name("RANGE")
        ->capture_default_str();
  }
  app.add_option("--warn-age", arguments->age_warning,
                 "Time since monitord's last cycle [5 intervals, at least 10s]")
      ->type_name("RANGE");
  app.add_option("--crit-age", arguments->age_critical, "The same, critical [three times that]")
      ->type_name("RANGE");
  add_socket(app, arguments->options.socket);
  app.footer(
      "RANGE is that of plugins: 20 alerts above 20 (and below 0), 10:20 outside,\n"
      "@10:20 inside, ~: never. Critical besides: monitord away or degraded, a service\n"
      "without a weight above 0, a frozen service. Warning besides: a weight that\n"
      "somebody else just set.\n"
      "Exit status: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN (also for wrong usage).\n"
      "Examples: monitorctl check\n"
      "          monitorctl check --service tcp:10.9.9.9:80 --crit-silent 30%\n");
  finishes[&app] = [arguments] { return check_command(*arguments); };
}

}  // namespace lvs::monitorctl
