#pragma once

// A command line as a value: what --help shows and completion offers. Made from CLI11's own tree,
// so that neither can name what the program does not take.

#include <string>
#include <string_view>
#include <vector>

namespace lvs::cli {

/// An option, a flag, or an argument without a name.
struct Option {
  std::vector<std::string> names{};  ///< "-o", "--output"; empty: an argument
  /// What stands for its value: "FILE", "[SERVICE] DESTINATION", "STRATEGY,...", or the words that
  /// it may be: "text|json". Empty: a flag.
  std::string placeholder{};
  std::string what{};                   ///< in a line
  std::string standard{};               ///< the value that it has when nobody gives one
  std::string environment{};            ///< the variable that it comes from otherwise
  std::string group{"Options"};         ///< its heading in --help
  std::vector<std::string> excludes{};  ///< names of the options that it cannot stand beside
  bool hidden{};
  bool required{};
  bool many{};  ///< any number of values
};

struct Command {
  std::string name{};
  std::string what{};    ///< in a line
  std::string footer{};  ///< more, and examples
  std::vector<Option> options{};
  std::vector<Option> arguments{};  ///< in their order
  std::vector<Command> commands{};
  bool needs_command{};
  bool takes_outer_options{};  ///< those of the command above may stand behind it
};

/// A part of a placeholder: "[SERVICE]", "FILE", "STRATEGY,...".
struct Part {
  std::string name{};
  bool optional{};  ///< in [brackets]
  bool many{};      ///< "FILE..."
  bool list{};      ///< "STRATEGY,...": several in one word
};

/// "[SERVICE] DESTINATION" has two. What follows a name without a space is its form and no part:
/// "HOST[:PORT]" is "HOST".
std::vector<Part> parts_of(std::string_view placeholder);

/// {"text", "json"} of "text|json"; empty where the value is not one of some words.
std::vector<std::string> words_of(std::string_view placeholder);

/// "--output" of "-o", "--output"; the only one where there is no long one.
std::string long_name(const Option& option);

/// Null when there is none of that name.
const Command* find_command(const Command& above, std::string_view name);

}  // namespace lvs::cli
