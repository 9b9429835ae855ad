#include "cli/completion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lvs::cli {
namespace {

/// What is written and is no file. Anything else is one.
constexpr std::array<std::string_view, 15> no_files{
    "ADDRESS", "COMMAND", "FLOAT", "HOST", "INT",  "KEY",  "MARK",    "N",
    "NAME",    "NUMBER",  "PORT",  "TEXT", "TIME", "UINT", "VIP:PORT"};

bool takes_value(const Option& option) {
  return !option.placeholder.empty();
}

/// Reads the words before the cursor as the parser does.
class Reader {
 public:
  explicit Reader(const Command& root) : root_(root), commands_{&root} {}

  void take(const std::string& word) {
    if (pending_ != nullptr) {
      give(*pending_, word);
      pending_ = nullptr;
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && word.starts_with("--")) {
      take_long(word);
    } else if (!only_arguments_ && word.size() > 1 && word.starts_with('-')) {
      take_short(word);
    } else if (const auto* inner = found_.arguments.empty() && !only_arguments_
                                       ? find_command(here(), word)
                                       : nullptr) {
      commands_.push_back(inner);
    } else {
      found_.arguments.push_back(word);
    }
  }

  Completion finish(const std::string& word) {
    const auto equals = word.find('=');
    const auto* const named =
        word.starts_with("--") && equals != std::string::npos && !only_arguments_
            ? find(word.substr(0, equals))
            : nullptr;
    if (pending_ != nullptr) {
      offer_value(*pending_, "", word);
    } else if (named != nullptr && takes_value(*named)) {
      offer_value(*named, word.substr(0, equals + 1), word.substr(equals + 1));
    } else if (word.starts_with('-') && !only_arguments_) {
      offer_options();
    } else {
      offer_arguments();
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Command& here() const { return *commands_.back(); }

  /// All options that may stand here, those of outer commands where they may follow an inner one.
  [[nodiscard]] std::vector<const Option*> options() const {
    std::vector<const Option*> all;
    for (auto command = commands_.rbegin(); command != commands_.rend(); ++command) {
      for (const auto& option : (*command)->options)
        all.push_back(&option);
      if (!(*command)->takes_outer_options) break;
    }
    return all;
  }

  [[nodiscard]] const Option* find(std::string_view name) const {
    for (const auto* option : options()) {
      const auto& names = option->names;
      if (std::find(names.begin(), names.end(), name) != names.end()) return option;
    }
    return nullptr;
  }

  void give(const Option& option, const std::string& value) {
    found_.options.emplace_back(long_name(option), value);
  }

  void take_long(const std::string& word) {
    const auto equals = std::min(word.find('='), word.size());
    const auto* const option = find(word.substr(0, equals));
    if (option == nullptr) return;
    if (equals < word.size()) return give(*option, word.substr(equals + 1));
    if (takes_value(*option)) {
      pending_ = option;
    } else {
      give(*option, "");
    }
  }

  /// "-nt VIP:PORT", "-ntVIP:PORT".
  void take_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const auto* const option = find(std::string("-") + word[i]);
      if (option == nullptr) return;
      if (!takes_value(*option)) {
        give(*option, "");
        continue;
      }
      if (i + 1 < word.size()) return give(*option, word.substr(i + 1));
      pending_ = option;
    }
  }

  void offer_words(const std::string& placeholder) {
    for (const auto& word : words_of(placeholder))
      found_.candidates.push_back({word, ""});
  }

  void want(const std::string& name) {
    if (name != "COMMAND") {
      found_.wanted.push_back(name);
      return;
    }
    for (const auto& command : root_.commands)
      found_.candidates.push_back({command.name, command.what});
  }

  void offer_value(const Option& option, const std::string& prefix, const std::string& value) {
    found_.option = long_name(option);
    found_.prefix = prefix;
    offer_words(option.placeholder);
    if (!found_.candidates.empty()) return;
    for (const auto& part : parts_of(option.placeholder)) {
      const auto comma = part.list ? value.rfind(',') : std::string::npos;
      if (comma != std::string::npos) found_.prefix += value.substr(0, comma + 1);
      want(part.name);
    }
  }

  [[nodiscard]] bool is_given(const std::string& name) const {
    return std::any_of(found_.options.begin(), found_.options.end(),
                       [&](const auto& given) { return given.first == name; });
  }

  void offer_options() {
    for (const auto* option : options()) {
      const auto excluded = std::any_of(option->excludes.begin(), option->excludes.end(),
                                        [this](const std::string& name) { return is_given(name); });
      const auto name = long_name(*option);
      const bool again = is_given(name) && !option->many;
      if (option->hidden || excluded || again) continue;
      found_.candidates.push_back({name, option->what});
    }
  }

  /// The parts that may stand at the place of the next argument: "[SERVICE] DESTINATION" lets both
  /// be the first.
  void offer_arguments() {
    if (found_.arguments.empty() && !only_arguments_) {
      for (const auto& command : here().commands)
        found_.candidates.push_back({command.name, command.what});
    }
    const auto place = found_.arguments.size();
    std::size_t least = 0;  // arguments that have to come before this part
    std::size_t most = 0;   // and that can
    bool endless = false;
    for (const auto& argument : here().arguments) {
      const auto words = words_of(argument.placeholder);
      const auto parts = words.empty() ? parts_of(argument.placeholder) : std::vector<Part>{{}};
      for (const auto& part : parts) {
        const bool many = part.many || (argument.many && parts.size() == 1);
        if (place >= least && (place <= most || endless || many)) {
          if (words.empty()) want(part.name);
          offer_words(argument.placeholder);
        }
        if (!part.optional && argument.required) ++least;
        ++most;
        endless = endless || many;
      }
    }
  }

  const Command& root_;
  std::vector<const Command*> commands_;
  const Option* pending_{};  ///< waits for its value
  bool only_arguments_{};    ///< behind "--"
  Completion found_{};
};

std::string line(const std::string& prefix, const Candidate& candidate) {
  return prefix + candidate.word + (candidate.what.empty() ? "" : "\t" + candidate.what) + "\n";
}

}  // namespace

Completion completion_of(const Command& root, const std::vector<std::string>& words) {
  Reader reader(root);
  if (words.empty()) return reader.finish("");
  for (auto word = words.begin(); word != words.end() - 1; ++word)
    reader.take(*word);
  return reader.finish(words.back());
}

std::string completion_text(const Completion& completion, const Resolver& resolver) {
  std::string text;
  bool files = false;
  bool directories = false;
  for (const auto& candidate : completion.candidates)
    text += line(completion.prefix, candidate);
  for (const auto& name : completion.wanted) {
    const auto found = resolver ? resolver(name) : std::nullopt;
    const bool file = std::find(no_files.begin(), no_files.end(), name) == no_files.end();
    if (!found && file) (name == "DIR" ? directories : files) = true;
    if (!found) continue;
    for (const auto& candidate : *found)
      text += line(completion.prefix, candidate);
  }
  if (files) text += ":files\n";
  if (directories && !files) text += ":directories\n";
  return text;
}

}  // namespace lvs::cli
