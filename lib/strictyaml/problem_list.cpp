#include "strictyaml/problem_list.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "strictyaml/words.hpp"

namespace lvs::strictyaml {

namespace {

constexpr std::size_t max_problems = 100;

bool is_earlier(const Problem& one, std::size_t file, const Problem& other,
                std::size_t other_file) {
  return std::tie(file, one.line, one.column) < std::tie(other_file, other.line, other.column);
}

}  // namespace

void ProblemList::add(Problem::Severity severity, Position where, std::string message,
                      std::string hint) {
  if (severity == Problem::Severity::error) ++errors_;
  if (full_) return;
  if (problems_.size() == max_problems) {
    full_ = true;
    where = sources_.back().end();
    message = "more than " + std::to_string(max_problems) + " problems: the rest is not shown";
    hint.clear();
  }
  const Source& source = sources_.at(where.file);
  Problem problem{.severity = severity,
                  .file = source.name(),
                  .line = where.line + 1,
                  .column = source.column(where),
                  .message = std::move(message),
                  .source = {},
                  .caret = 1,
                  .hint = std::move(hint)};
  if (!secret()) {
    Excerpt excerpt = source.excerpt(where);
    problem.source = std::move(excerpt.text);
    problem.caret = excerpt.caret;
  }
  if (std::find(problems_.begin(), problems_.end(), problem) != problems_.end()) return;
  insert(std::move(problem), where.file);
}

/// Behind all that are not later.
void ProblemList::insert(Problem problem, std::size_t file) {
  std::size_t place = problems_.size();
  while (place > 0 && is_earlier(problem, file, problems_[place - 1], files_[place - 1]))
    --place;
  const auto offset = static_cast<std::ptrdiff_t>(place);
  problems_.insert(problems_.begin() + offset, std::move(problem));
  files_.insert(files_.begin() + offset, file);
}

std::string ProblemList::shown(std::string_view text) const {
  return secret() ? "(not shown)" : in_quotes(text);
}

}  // namespace lvs::strictyaml
