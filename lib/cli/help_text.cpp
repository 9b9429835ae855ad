#include "cli/help_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lvs::cli {
namespace {

constexpr std::size_t columns = 80;
constexpr std::size_t right_side = 30;  ///< where descriptions begin

/// `text` from column `at` on, later lines from column `indent` on; broken between words.
std::string wrapped(const std::string& text, std::size_t at, std::size_t indent) {
  std::string lines;
  std::size_t begin = 0;
  bool first = true;
  while (begin < text.size()) {
    const auto end = std::min(text.find(' ', begin), text.size());
    const auto length = end - begin;
    if (!first && at + 1 + length > columns) {
      lines += "\n" + std::string(indent, ' ');
      at = indent;
      first = true;
    }
    lines += (first ? "" : " ") + text.substr(begin, length);
    at += length + (first ? 0 : 1);
    first = false;
    begin = end + 1;
  }
  return lines;
}

/// A line of a list: what on the left, why on the right, from `column` on.
std::string line(const std::string& left, const std::string& right,
                 std::size_t column = right_side) {
  std::string text = "  " + left;
  if (right.empty()) return text + "\n";
  if (text.size() + 1 >= column) text += "\n";
  const auto here = text.ends_with('\n') ? 0 : text.size();
  text += std::string(column - here, ' ');
  return text + wrapped(right, column, column) + "\n";
}

std::string commands_text(const Command& command) {
  std::size_t longest = 0;
  for (const auto& each : command.commands)
    longest = std::max(longest, each.name.size());
  std::string text = "\nCommands:\n";
  for (const auto& each : command.commands)
    text += line(each.name, each.what, std::min(longest + 4, right_side));
  return text;
}

std::string argument_text(const Option& argument) {
  auto text = argument.placeholder + (argument.many && !argument.placeholder.ends_with("...") &&
                                              parts_of(argument.placeholder).size() == 1
                                          ? "..."
                                          : "");
  const bool bare = argument.required || text.starts_with('[');
  return bare ? text : "[" + text + "]";
}

std::string names_text(const Option& option) {
  std::string text = option.names.front().starts_with("--") ? "    " : "";
  for (const auto& name : option.names)
    text += (&name == &option.names.front() ? "" : ", ") + name;
  return option.placeholder.empty() ? text : text + " " + option.placeholder;
}

std::string what_text(const Option& option) {
  std::string text = option.what;
  if (!option.standard.empty()) text += " [" + option.standard + "]";
  if (!option.environment.empty()) text += " [or " + option.environment + "]";
  if (option.required && !option.names.empty()) text += " [required]";
  for (const auto& name : option.excludes)
    text += " [not with " + name + "]";
  return text;
}

std::string options_text(const Command& command) {
  std::vector<std::pair<std::string, std::string>> groups;  // in the order of their first option
  for (const auto& option : command.options) {
    if (option.hidden) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& each) { return each.first == option.group; });
    if (group == groups.end()) group = groups.insert(groups.end(), {option.group, ""});
    group->second += line(names_text(option), what_text(option));
  }
  std::string text;
  for (const auto& [heading, lines] : groups)
    text.append("\n").append(heading).append(":\n").append(lines);
  return text;
}

std::string usage_text(const Command& command, const std::string& path) {
  std::string text = path + " [OPTIONS]";
  if (const auto arguments = arguments_text(command); !arguments.empty()) text += " " + arguments;
  if (!command.commands.empty()) text += command.needs_command ? " COMMAND" : " [COMMAND]";
  constexpr std::string_view label = "Usage: ";
  return std::string(label) + wrapped(text, label.size(), label.size()) + "\n";
}

}  // namespace

std::string arguments_text(const Command& command) {
  std::string text;
  for (const auto& argument : command.arguments)
    text += (text.empty() ? "" : " ") + argument_text(argument);
  return text;
}

std::string help_text(const Command& command, const std::string& path) {
  auto text = wrapped(command.what, 0, 0) + "\n\n" + usage_text(command, path);
  if (!command.arguments.empty()) text += "\nArguments:\n";
  for (const auto& argument : command.arguments)
    text += line(argument_text(argument), what_text(argument));
  if (!command.commands.empty()) text += commands_text(command);
  text += options_text(command);
  if (!command.footer.empty()) text += "\n" + command.footer;
  return text.ends_with('\n') ? text : text + "\n";
}

}  // namespace lvs::cli
