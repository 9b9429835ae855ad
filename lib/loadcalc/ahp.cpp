#include "loadcalc/ahp.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace lvs::loadcalc {

namespace {

using Kind = JudgementProblem::Kind;

/// People write 0.33 for 1/3.
constexpr double reciprocal_tolerance = 0.02;
/// Mean consistency index of random reciprocal matrices of 1, 2, ... criteria (Saaty 1980).
constexpr std::array<double, largest_judgement_matrix> random_index{0.0,  0.0,  0.58, 0.90, 1.12,
                                                                    1.24, 1.32, 1.41, 1.45, 1.49};
constexpr int most_iterations = 1000;
constexpr double converged = 1e-14;

bool is_positive(double judgement) {
  return std::isfinite(judgement) && judgement > 0.0;
}

void check_row(const JudgementMatrix& matrix, std::size_t row,
               std::vector<JudgementProblem>& problems) {
  if (matrix[row].size() != matrix.size()) {
    problems.push_back({Kind::row_length, row, 0});
    return;
  }
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    auto const judgement = matrix[row][column];
    if (!is_positive(judgement)) {
      problems.push_back({Kind::not_positive, row, column});
    } else if (row == column && judgement != 1.0) {
      problems.push_back({Kind::diagonal, row, column});
    } else if (column < row && matrix[column].size() == matrix.size() &&
               is_positive(matrix[column][row]) &&
               !(std::abs(judgement * matrix[column][row] - 1.0) <= reciprocal_tolerance)) {
      problems.push_back({Kind::not_reciprocal, row, column});
    }
  }
}

std::vector<double> product(const JudgementMatrix& matrix, const std::vector<double>& vector) {
  std::vector<double> result;
  result.reserve(vector.size());
  for (auto const& row : matrix)
    result.push_back(std::inner_product(row.begin(), row.end(), vector.begin(), 0.0));
  return result;
}

/// Scales to the sum 1 and returns the sum there was: of matrix * vector with a vector of sum 1,
/// once it has converged, the eigenvalue.
double normalise(std::vector<double>& vector) {
  auto const sum = std::accumulate(vector.begin(), vector.end(), 0.0);
  for (auto& element : vector)
    element /= sum;
  return sum;
}

double largest_difference(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i)
    largest = std::max(largest, std::abs(one[i] - other[i]));
  return largest;
}

std::optional<Judgement> worst_judgement(const JudgementMatrix& matrix,
                                         const std::vector<double>& coefficients) {
  if (matrix.size() <= 2) return std::nullopt;
  Judgement worst;
  double furthest = -1.0;
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    for (std::size_t column = row + 1; column < matrix.size(); ++column) {
      Judgement const judgement{row, column, matrix[row][column],
                                coefficients[row] / coefficients[column]};
      auto const distance = std::abs(std::log(judgement.given / judgement.fitting));
      if (!(distance > furthest)) continue;
      furthest = distance;
      worst = judgement;
    }
  }
  return worst;
}

}  // namespace

std::vector<JudgementProblem> problems_of_judgements(const JudgementMatrix& matrix) {
  if (matrix.empty() || matrix.size() > largest_judgement_matrix) return {{Kind::size, 0, 0}};
  std::vector<JudgementProblem> problems;
  for (std::size_t row = 0; row < matrix.size(); ++row)
    check_row(matrix, row, problems);
  return problems;
}

Priorities priorities(const JudgementMatrix& matrix) {
  assert(problems_of_judgements(matrix).empty());
  auto const n = static_cast<double>(matrix.size());
  Priorities result;
  result.coefficients.assign(matrix.size(), 1.0 / n);
  for (int i = 0; i < most_iterations; ++i) {
    auto next = product(matrix, result.coefficients);
    result.lambda_max = normalise(next);
    auto const step = largest_difference(next, result.coefficients);
    result.coefficients = std::move(next);
    if (step <= converged) break;
  }
  if (matrix.size() > 2) {
    // Rounding, and 0.33 for 1/3, may leave it a little below n.
    result.consistency_index = std::max(0.0, (result.lambda_max - n) / (n - 1.0));
    result.consistency_ratio = result.consistency_index / random_index[matrix.size() - 1];
  }
  result.worst = worst_judgement(matrix, result.coefficients);
  return result;
}

}  // namespace lvs::loadcalc
