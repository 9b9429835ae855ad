#pragma once

// Short forms for tests of documents.

#include <string>
#include <utility>
#include <vector>

#include "strictyaml/document.hpp"

namespace lvs::strictyaml {

/// "LINE:COLUMN MESSAGE" of every problem.
inline std::vector<std::string> lines_from_problems(const Document& document) {
  std::vector<std::string> lines;
  for (const Problem& problem : document.problems()) {
    lines.push_back(std::to_string(problem.line) + ':' + std::to_string(problem.column) + ' ' +
                    problem.message);
  }
  return lines;
}

/// The problems of a text before anything is read from it.
inline std::vector<std::string> problems_of(std::string text) {
  return lines_from_problems(Document{std::move(text), "test.yaml"});
}

using Lines = std::vector<std::string>;

}  // namespace lvs::strictyaml
