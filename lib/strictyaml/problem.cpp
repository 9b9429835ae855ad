#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strictyaml/document.hpp"

namespace lvs::strictyaml {

namespace {

using Severity = Problem::Severity;

/// Blanks up to the caret. Tabs are repeated, so that the caret stands right for every tab width.
std::string caret_line(const Problem& problem) {
  std::string line;
  std::size_t character = 1;
  for (const char c : problem.source) {
    const bool continuation = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
    if (continuation) continue;
    if (character++ == problem.caret) break;
    line += c == '\t' ? '\t' : ' ';
  }
  return line + '^';
}

std::string counted(std::size_t count, std::string_view word) {
  return std::to_string(count) + ' ' + std::string{word} + (count == 1 ? "" : "s");
}

/// The file; of several their number.
std::string place_of(const std::vector<Problem>& problems) {
  std::set<std::string_view> files;
  for (const Problem& problem : problems)
    files.insert(problem.file);
  return files.size() == 1 ? problems.front().file : counted(files.size(), "file");
}

}  // namespace

std::string string_from_problem(const Problem& problem) {
  const std::string_view severity = problem.severity == Severity::error ? "error: " : "warning: ";
  std::string text = problem.file + ':' + std::to_string(problem.line) + ':' +
                     std::to_string(problem.column) + ": ";
  text.append(severity).append(problem.message).append("\n");
  if (!problem.source.empty()) {
    const std::string number = std::to_string(problem.line);
    const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
    text.append(margin).append(number).append(" | ").append(problem.source).append("\n");
    text.append(std::max<std::size_t>(number.size(), 5), ' ').append(" | ");
    text.append(caret_line(problem)).append("\n");
  }
  if (!problem.hint.empty()) text.append("      hint: ").append(problem.hint).append("\n");
  return text;
}

std::string string_from_problems(const std::vector<Problem>& problems) {
  if (problems.empty()) return {};
  std::string text;
  for (const Problem& problem : problems)
    text += string_from_problem(problem);
  const auto errors = static_cast<std::size_t>(
      std::count_if(problems.begin(), problems.end(),
                    [](const Problem& p) { return p.severity == Severity::error; }));
  const std::size_t warnings = problems.size() - errors;
  if (errors > 0) text += counted(errors, "error");
  if (errors > 0 && warnings > 0) text += ", ";
  if (warnings > 0) text += counted(warnings, "warning");
  return text + " in " + place_of(problems) + '\n';
}

}  // namespace lvs::strictyaml
