#include "cli/command_from_app.hpp"

#include <functional>
#include <string>
#include <utility>

namespace lvs::cli {
namespace {

Option option_from(const CLI::Option& given, const std::string& group) {
  Option option;
  for (const auto& name : given.get_snames())
    option.names.push_back("-" + name);
  for (const auto& name : given.get_lnames())
    option.names.push_back("--" + name);
  const bool flag = given.get_items_expected_max() == 0;
  if (!flag) {
    option.placeholder = given.get_type_name();
    option.standard = given.get_default_str();
    option.many = given.get_expected_max() >= CLI::detail::expected_max_vector_size;
  }
  option.what = given.get_description();
  option.environment = given.get_envname();
  if (!group.empty()) option.group = group;
  for (const auto* const other : given.get_excludes())
    option.excludes.push_back(other->get_name());
  option.hidden = given.get_group().empty();
  option.required = given.get_required();
  return option;
}

void add_options(const CLI::App& app, const std::string& group, Command& command) {
  // get_options() lists those of option groups, too, which are apps without a name.
  const auto inner = app.get_subcommands(std::function<bool(const CLI::App*)>(
      [](const CLI::App* each) { return each->get_name().empty(); }));
  const auto is_own = [&](const CLI::Option* option) {
    for (const auto* const each : inner) {
      if (each->get_option_no_throw(option->get_name()) == option) return false;
      if (each->get_help_ptr() == option) return false;
    }
    return true;
  };
  for (const auto* const option : app.get_options()) {
    if (!is_own(option)) continue;
    auto made = option_from(*option, group);
    (made.names.empty() ? command.arguments : command.options).push_back(std::move(made));
  }
  for (const auto* const each : inner) {
    auto heading = each->get_group();
    if (!each->get_description().empty()) heading += ", " + each->get_description();
    Command grouped;
    add_options(*each, heading, grouped);
    for (auto& option : grouped.options) {
      if (long_name(option) != "--help") command.options.push_back(std::move(option));
    }
  }
}

}  // namespace

Command command_from_app(const CLI::App& app) {
  Command command;
  command.name = app.get_name();
  command.what = app.get_description();
  command.footer = app.get_footer();
  command.needs_command = app.get_require_subcommand_min() > 0;
  command.takes_outer_options = app.get_fallthrough();
  add_options(app, "", command);
  const auto commands =
      app.get_subcommands(std::function<bool(const CLI::App*)>([](const CLI::App* each) {
        return !each->get_name().empty() && !each->get_group().empty();
      }));
  for (const auto* const each : commands)
    command.commands.push_back(command_from_app(*each));
  return command;
}

}  // namespace lvs::cli
