#pragma once

// Collects the problems of one document in the order of its files and their lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strictyaml/document.hpp"
#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

class ProblemList {
 public:
  /// `sources`, at least one, have to outlive it.
  ProblemList(const std::vector<Source>& sources, Content content)
      : sources_{sources}, content_{content} {}

  /// A problem that is already there is not added again; what comes after 100 is only mentioned.
  void add(Problem::Severity severity, Position where, std::string message, std::string hint);
  void error(Position where, std::string message, std::string hint = {}) {
    add(Problem::Severity::error, where, std::move(message), std::move(hint));
  }

  /// In quotes; in a secret document something that does not give it away.
  [[nodiscard]] std::string shown(std::string_view text) const;
  [[nodiscard]] bool secret() const { return content_ == Content::secret; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }

 private:
  void insert(Problem problem, std::size_t file);

  const std::vector<Source>& sources_;
  Content content_;
  std::vector<Problem> problems_{};
  std::vector<std::size_t> files_{};  ///< of each problem: the place of its file in the document
  std::size_t errors_{};
  bool full_{};
};

}  // namespace lvs::strictyaml
