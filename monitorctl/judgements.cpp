#include "monitorctl/judgements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "strictyaml/document.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitorctl {

using loadcalc::JudgementProblem;
using strictyaml::Node;
using strictyaml::number_from_string;

namespace {

/// "3", "0.33" or "1/3".
std::optional<double> number_from_text(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return number_from_string<double>(text);
  const auto above = number_from_string<double>(text.substr(0, slash));
  const auto below = number_from_string<double>(text.substr(slash + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

std::optional<double> judgement_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto number = number_from_text(*text);
  if (number && std::isfinite(*number)) return number;
  node.refuse_value("is no judgement", "write a number or a fraction: 3, 0.5, 1/3");
  return std::nullopt;
}

std::vector<std::string> criteria_from_node(const Node& node) {
  std::vector<std::string> criteria;
  for (const Node& item : node.items()) {
    const auto name = item.as_string();
    if (!name) continue;
    if (name->empty()) item.refuse_value("is no name of a criterion");
    if (std::ranges::find(criteria, *name) != criteria.end())
      item.refuse_value("is here for the second time");
    criteria.push_back(*name);
  }
  if (node.is_sequence() && criteria.empty()) node.error(node.path() + " is empty");
  return criteria;
}

/// The numbers and, for messages, where each of them stands.
struct Places {
  loadcalc::JudgementMatrix matrix{};
  std::vector<Node> rows{};
  std::vector<std::vector<Node>> cells{};
  bool complete{true};  ///< every cell is a number
};

Places matrix_from_node(const Node& node) {
  Places places;
  for (const Node& row : node.items()) {
    places.rows.push_back(row);
    places.cells.push_back(row.items());
    auto& numbers = places.matrix.emplace_back();
    for (const Node& cell : places.cells.back()) {
      const auto number = judgement_from_node(cell);
      places.complete &= number.has_value();
      numbers.push_back(number.value_or(1));
    }
  }
  return places;
}

void report_cell(const JudgementProblem& problem, const Places& places,
                 const std::vector<std::string>& criteria) {
  const Node& cell = places.cells[problem.row][problem.column];
  const auto& row = criteria[problem.row];
  const auto& column = criteria[problem.column];
  switch (problem.kind) {
    case JudgementProblem::Kind::not_positive:
      return cell.refuse_value("is not above 0",
                               "less important is a fraction: 1/3, not a negative number");
    case JudgementProblem::Kind::diagonal:
      return cell.refuse_value("compares " + row + " with itself", "write 1");
    case JudgementProblem::Kind::not_reciprocal:
      return cell.refuse_value(
          fmt::format("contradicts {} over {}, which is {}", column, row,
                      strictyaml::string_from_number(places.matrix[problem.column][problem.row])),
          fmt::format("write 1/{}",
                      strictyaml::string_from_number(places.matrix[problem.column][problem.row])));
    case JudgementProblem::Kind::size:
    case JudgementProblem::Kind::row_length:
      break;
  }
}

void report(const JudgementProblem& problem, const Places& places,
            const std::vector<std::string>& criteria, const Node& matrix) {
  switch (problem.kind) {
    case JudgementProblem::Kind::size:
      return matrix.error(fmt::format("matrix: {} criteria; 1 to {} can be compared",
                                      places.rows.size(), loadcalc::largest_judgement_matrix));
    case JudgementProblem::Kind::row_length:
      return places.rows[problem.row].error(
          fmt::format("{} has {} numbers for {} criteria", places.rows[problem.row].path(),
                      places.matrix[problem.row].size(), criteria.size()),
          "every criterion is compared with every one, itself included");
    default:
      return report_cell(problem, places, criteria);
  }
}

void check(const Places& places, const std::vector<std::string>& criteria, const Node& matrix) {
  if (places.rows.size() != criteria.size()) {
    matrix.error(
        fmt::format("matrix has {} rows for {} criteria", places.rows.size(), criteria.size()),
        "row i says how many times more criterion i matters than each of the others");
    return;
  }
  for (const auto& problem : loadcalc::problems_of_judgements(places.matrix))
    report(problem, places, criteria, matrix);
}

}  // namespace

tl::expected<Judgements, std::string> judgements_from_yaml(std::string text, std::string file) {
  const strictyaml::Document document(std::move(text), std::move(file));
  const auto root = document.root();
  auto criteria = criteria_from_node(root.required("criteria"));
  const auto matrix = root.required("matrix");
  auto places = matrix_from_node(matrix);
  root.reject_unknown_keys();
  if (!criteria.empty() && matrix.is_sequence() && places.complete) {
    check(places, criteria, matrix);
  }
  if (document.has_errors()) {
    return tl::unexpected(strictyaml::string_from_problems(document.problems()));
  }
  return Judgements{std::move(criteria), std::move(places.matrix)};
}

}  // namespace lvs::monitorctl
