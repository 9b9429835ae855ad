#pragma once

// What may stand where the cursor is. Pure; what only a program can know (the services that there
// are) is asked for by its placeholder.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace lvs::cli {

/// The hidden command that the scripts of the shells call with the words before the cursor.
inline constexpr std::string_view completion_command = "completion-words";

struct Candidate {
  std::string word{};
  std::string what{};  ///< may be empty

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Completion {
  std::vector<Candidate> candidates{};  ///< not only those that begin as the word does
  std::vector<std::string> wanted{};    ///< names of the placeholders that may stand here
  std::string option{};                 ///< whose value it is ("--output"); empty: an argument
  /// Stands before every candidate: "--output=", "wrr,".
  std::string prefix{};
  std::vector<std::string> arguments{};                        ///< before the cursor
  std::vector<std::pair<std::string, std::string>> options{};  ///< long names and their values
};

/// `words` follow the program's name; the last one is that of the cursor, and may be empty.
Completion completion_of(const Command& root, const std::vector<std::string>& words);

/// What may stand for a placeholder; nothing: it is none of the program's own.
using Resolver = std::function<std::optional<std::vector<Candidate>>(const std::string& name)>;

/// A line for each candidate, with a tab before what it is; ":files" or ":directories" where the
/// shell is to complete those. A placeholder that nobody knows stands for a file.
std::string completion_text(const Completion& completion, const Resolver& resolver = {});

/// For `source <(…)` and the folders of the shells; empty for another shell than bash, zsh, fish.
std::string completion_script(std::string_view shell, std::string_view program);

}  // namespace lvs::cli
