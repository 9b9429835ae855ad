#include "strictyaml/problem_list.hpp"

#include <algorithm>
#include <tuple>

#include "strictyaml/words.hpp"

namespace lvs::strictyaml {

namespace {

constexpr std::size_t max_problems = 100;

bool earlier(const Problem& one, const Problem& other) {
  return std::tie(one.line, one.column) < std::tie(other.line, other.column);
}

}  // namespace

void ProblemList::add(Problem::Severity severity, Position where, std::string message,
                      std::string hint) {
  if (severity == Problem::Severity::error) ++errors_;
  if (full_) return;
  if (problems_.size() == max_problems) {
    full_ = true;
    where = source_.end();
    message = "more than " + std::to_string(max_problems) + " problems: the rest is not shown";
    hint.clear();
  }
  Problem problem{.severity = severity,
                  .file = file_,
                  .line = where.line + 1,
                  .column = source_.column(where),
                  .message = std::move(message),
                  .source = {},
                  .caret = 1,
                  .hint = std::move(hint)};
  if (!secret()) {
    Excerpt excerpt = source_.excerpt(where);
    problem.source = std::move(excerpt.text);
    problem.caret = excerpt.caret;
  }
  if (std::find(problems_.begin(), problems_.end(), problem) != problems_.end()) return;
  const auto place = std::upper_bound(problems_.begin(), problems_.end(), problem, earlier);
  problems_.insert(place, std::move(problem));
}

std::string ProblemList::shown(std::string_view text) const {
  return secret() ? "(not shown)" : in_quotes(text);
}

}  // namespace lvs::strictyaml
