#include "cli/command.hpp"

#include <algorithm>

namespace lvs::cli {
namespace {

bool ends_with_taken(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

Part part_from_text(std::string_view text) {
  Part part;
  part.optional = text.starts_with('[') && text.ends_with(']');
  if (part.optional) text = text.substr(1, text.size() - 2);
  part.list = ends_with_taken(text, ",...");
  part.many = ends_with_taken(text, "...");
  part.name = text.substr(0, text.find('['));
  return part;
}

}  // namespace

std::vector<Part> parts_of(std::string_view placeholder) {
  std::vector<Part> parts;
  while (!placeholder.empty()) {
    const auto end = std::min(placeholder.find(' '), placeholder.size());
    if (end > 0) parts.push_back(part_from_text(placeholder.substr(0, end)));
    placeholder.remove_prefix(std::min(end + 1, placeholder.size()));
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view placeholder) {
  // Capitals stand for something: "FILE|-" are no two words.
  const bool words =
      placeholder.find('|') != std::string_view::npos &&
      placeholder.find_first_of("[ ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
  std::vector<std::string> found;
  while (words && !placeholder.empty()) {
    const auto end = std::min(placeholder.find('|'), placeholder.size());
    found.emplace_back(placeholder.substr(0, end));
    placeholder.remove_prefix(std::min(end + 1, placeholder.size()));
  }
  return found;
}

std::string long_name(const Option& option) {
  const auto name = std::find_if(option.names.begin(), option.names.end(),
                                 [](const auto& each) { return each.starts_with("--"); });
  if (name != option.names.end()) return *name;
  return option.names.empty() ? "" : option.names.front();
}

const Command* find_command(const Command& above, std::string_view name) {
  const auto found = std::find_if(above.commands.begin(), above.commands.end(),
                                  [&](const Command& each) { return each.name == name; });
  return found == above.commands.end() ? nullptr : &*found;
}

}  // namespace lvs::cli
