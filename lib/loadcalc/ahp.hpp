#pragma once

// Analytic hierarchy process (T. L. Saaty, "The Analytic Hierarchy Process", 1980): from "how much
// more does this matter than that", asked for every pair, to coefficients that sum up to 1.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lvs::loadcalc {

/// matrix[i][j]: how many times more criterion i matters than criterion j, 1 to 9 on Saaty's scale,
/// or one over it.
using JudgementMatrix = std::vector<std::vector<double>>;

inline constexpr std::size_t largest_judgement_matrix = 10;
/// Judgements below it agree well enough with each other.
inline constexpr double acceptable_consistency_ratio = 0.1;

/// What is wrong with a matrix, and where.
struct JudgementProblem {
  enum class Kind {
    size,            ///< not 1 to 10 criteria
    row_length,      ///< row `row` does not have as many numbers as there are rows
    not_positive,    ///< zero, negative, or no finite number
    diagonal,        ///< compared with itself a criterion matters as much: 1
    not_reciprocal,  ///< (row, column) times (column, row) is not 1 within 2 %
  };
  Kind kind{};
  std::size_t row{}, column{};

  friend bool operator==(const JudgementProblem&, const JudgementProblem&) = default;
};

/// Every problem of the matrix in the order of its rows; none: it is fit for priorities(). A pair
/// that is not reciprocal is named once, below the diagonal.
std::vector<JudgementProblem> problems_of_judgements(const JudgementMatrix& matrix);

/// One comparison, and what the coefficients would have it be.
struct Judgement {
  std::size_t row{}, column{};  ///< row < column
  double given{};
  double fitting{};  ///< coefficient of row / coefficient of column

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

struct Priorities {
  std::vector<double> coefficients{};  ///< principal eigenvector, > 0, sum 1
  double lambda_max{};                 ///< principal eigenvalue, >= n for reciprocal judgements
  double consistency_index{};          ///< (lambda_max - n) / (n - 1); 0 for n = 1
  double consistency_ratio{};          ///< index / Saaty's random index; 0 for n <= 2
  /// The judgement that is furthest, as a ratio, from what the coefficients say; empty for n <= 2,
  /// which cannot contradict itself.
  std::optional<Judgement> worst{};
};

/// By power iteration. The matrix has to be free of problems_of_judgements().
Priorities priorities(const JudgementMatrix& matrix);

}  // namespace lvs::loadcalc
