#include "cli/mistakes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/command_from_app.hpp"
#include "strictyaml/words.hpp"

namespace lvs::cli {
namespace {

using strictyaml::in_quotes;

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* each = &app; each != nullptr;
       each = each->get_fallthrough() ? each->get_parent() : nullptr) {
    for (const auto& option : command_from_app(*each).options) {
      if (!option.hidden) names.push_back(long_name(option));
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto& command : command_from_app(app).commands)
    names.push_back(command.name);
  return names;
}

std::string with_hint(std::string text, const std::string& nearest) {
  return nearest.empty() ? text : std::move(text) + "; did you mean " + in_quotes(nearest) + "?";
}

/// What nobody took, an option before anything else: what stands behind it may be its value.
std::string leftover_text(const CLI::App& root, const CLI::App& chosen,
                          const CLI::ParseError& error) {
  const auto rest = root.remaining(true);
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& each) {
    return each.size() > 1 && each.starts_with('-') && each != "--";
  });
  if (option != rest.end()) {
    const auto name = option->substr(0, option->find('='));
    return with_hint("unknown option " + in_quotes(name),
                     strictyaml::nearest_word(name, option_names(chosen)));
  }
  if (rest.empty()) return "";
  if (const auto commands = command_names(chosen); !commands.empty()) {
    return "unknown command " + in_quotes(rest.front()) + "; " +
           strictyaml::hint_from_words(rest.front(), commands, "commands");
  }
  const bool too_many = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return too_many ? in_quotes(rest.front()) + " is one argument too many" : "";
}

/// CLI11's texts begin with the option's name.
const CLI::Option* option_of(const CLI::App& app, const std::string& text) {
  for (const auto* const option : app.get_options()) {
    const auto name = option->get_name();
    if (name.empty() || !text.starts_with(name)) continue;
    const auto next = text.substr(name.size(), 1);
    if (next == ":" || next == " ") return option;
  }
  return nullptr;
}

/// "Could not convert: --count = x".
std::string conversion_text(const CLI::App& app, const std::string& what) {
  for (const auto* const option : app.get_options()) {
    const auto name = option->get_name();
    if (name.empty() || option->results().empty()) continue;
    if (what.find(": " + name + " = ") == std::string::npos) continue;
    return name + ": " + in_quotes(option->results().back()) + " is no " + option->get_type_name();
  }
  return what;
}

std::string value_text(const CLI::Option& option, const std::string& what) {
  const auto placeholder = option.get_type_name();
  const auto name = option.nonpositional() ? option.get_name() : placeholder;
  const auto words = words_of(placeholder);
  for (const auto& value : option.results()) {
    if (words.empty() || value.empty()) break;
    if (std::find(words.begin(), words.end(), value) != words.end()) continue;
    return name + ": " + in_quotes(value) + " is not known here; " +
           strictyaml::hint_from_words(value, words, "one of");
  }
  const auto rest = what.substr(option.get_name().size());
  if (rest.ends_with(" missing")) return name + " needs a value: " + placeholder;
  return name + rest;
}

}  // namespace

std::string mistake_text(const CLI::App& root, const CLI::App& chosen,
                         const CLI::ParseError& error) {
  if (auto text = leftover_text(root, chosen, error); !text.empty()) return text;
  std::string what = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    return conversion_text(chosen, what);
  }
  const auto* option = option_of(chosen, what);
  if (option == nullptr) option = option_of(root, what);
  if (option != nullptr) return value_text(*option, what);
  const auto commands = command_names(chosen);
  const bool no_command =
      chosen.get_require_subcommand_min() > 0 && chosen.get_subcommands().empty();
  if (no_command && !commands.empty()) {
    return "name a command; " + strictyaml::hint_from_words("", commands, "commands");
  }
  return what;
}

}  // namespace lvs::cli
