#include "loadcalc/ahp.hpp"

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "loadcalc/response.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::JudgementMatrix;
using lvs::loadcalc::JudgementProblem;
using lvs::loadcalc::priorities;
using lvs::loadcalc::problems_of_judgements;
using Kind = JudgementProblem::Kind;
using Problems = std::vector<JudgementProblem>;

constexpr double third = 1.0 / 3.0;

/// The comparisons that the defaults of `response` come from.
const JudgementMatrix of_response{
    {1, 3, 3, 5}, {third, 1, 1, 3}, {third, 1, 1, 3}, {0.2, third, third, 1}};

JudgementMatrix identical(std::size_t size) {
  return {size, std::vector<double>(size, 1.0)};
}

TEST_CASE("ahp: every problem of a matrix is named with its place") {
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  auto const infinite = std::numeric_limits<double>::infinity();
  CHECK(problems_of_judgements({}) == Problems{{Kind::size, 0, 0}});
  CHECK(problems_of_judgements(identical(11)) == Problems{{Kind::size, 0, 0}});
  CHECK(problems_of_judgements({{1, 2}, {0.5}}) == Problems{{Kind::row_length, 1, 0}});
  CHECK(problems_of_judgements({{1}, {0.5, 1}}) == Problems{{Kind::row_length, 0, 0}});
  CHECK(problems_of_judgements({{1, 0}, {-1, 1}}) ==
        Problems{{Kind::not_positive, 0, 1}, {Kind::not_positive, 1, 0}});
  CHECK(problems_of_judgements({{nan, 1}, {1, infinite}}) ==
        Problems{{Kind::not_positive, 0, 0}, {Kind::not_positive, 1, 1}});
  CHECK(problems_of_judgements({{2, 1}, {1, 1}}) == Problems{{Kind::diagonal, 0, 0}});
  CHECK(problems_of_judgements({{1, 3}, {3, 1}}) == Problems{{Kind::not_reciprocal, 1, 0}});
}

TEST_CASE("ahp: a third may be written as 0.33") {
  CHECK(problems_of_judgements({{1, 3}, {0.33, 1}}).empty());
  CHECK_FALSE(problems_of_judgements({{1, 3}, {0.3, 1}}).empty());
}

TEST_CASE("ahp: equal criteria have equal coefficients") {
  for (std::size_t n = 1; n <= 10; ++n) {
    auto const result = priorities(identical(n));
    for (auto const coefficient : result.coefficients)
      CHECK(coefficient == Approx(1.0 / static_cast<double>(n)));
    CHECK(result.lambda_max == Approx(static_cast<double>(n)));
    CHECK(result.consistency_ratio == Approx(0).margin(1e-9));
    CHECK(result.worst.has_value() == (n > 2));
  }
}

// W. Saaty's textbook example of buying a house reduced to three criteria; checked by hand:
// the cubic lambda^3 - 3 lambda^2 - (a13/(a12 a23) + a12 a23/a13 - 2) = 0 of a 3 x 3 matrix.
TEST_CASE("ahp: a matrix of three criteria solves its characteristic equation") {
  JudgementMatrix const matrix{{1, 2, 8}, {0.5, 1, 2}, {0.125, 0.5, 1}};
  auto const result = priorities(matrix);
  auto const x = result.lambda_max;
  CHECK(x * x * x - 3 * x * x - (8.0 / 4.0 + 4.0 / 8.0 - 2.0) == Approx(0).margin(1e-9));
  CHECK(result.consistency_index == Approx((x - 3) / 2));
  CHECK(result.consistency_ratio == Approx((x - 3) / 2 / 0.58));
}

TEST_CASE("ahp: the most inconsistent judgement is named with what would fit") {
  // 2 x 2 = 4, but 9 is claimed; a second opinion on the first pair spreads the blame elsewhere.
  JudgementMatrix const matrix{
      {1, 2, 9, 4}, {0.5, 1, 2, 2}, {1.0 / 9, 0.5, 1, 1}, {0.25, 0.5, 1, 1}};
  auto const result = priorities(matrix);
  REQUIRE(result.worst.has_value());
  CHECK(result.worst->row == 0);
  CHECK(result.worst->column == 2);
  CHECK(result.worst->given == 9);
  CHECK(result.worst->fitting == Approx(result.coefficients[0] / result.coefficients[2]));
  CHECK(result.worst->fitting < 9);
}

TEST_CASE("ahp: the defaults of response are those of its matrix") {
  auto const result = priorities(of_response);
  lvs::loadcalc::ResponseCoefficients const share;
  CHECK(result.coefficients[0] == Approx(share.cpu).margin(1e-4));
  CHECK(result.coefficients[1] == Approx(share.memory).margin(1e-4));
  CHECK(result.coefficients[2] == Approx(share.network).margin(1e-4));
  CHECK(result.coefficients[3] == Approx(share.disk).margin(1e-4));
  CHECK(share.cpu + share.memory + share.network + share.disk == Approx(1).margin(1e-9));
  CHECK(result.lambda_max == Approx(4.04349).margin(1e-5));
  CHECK(result.consistency_ratio == Approx(0.0161087).margin(1e-6));
}

std::vector<double> random_wishes() {
  auto const n = *rc::gen::inRange(1, 11);
  std::vector<double> wishes;
  for (int i = 0; i < n; ++i)
    wishes.push_back(*rc::gen::inRange(1, 20));
  return wishes;
}

TEST_CASE("ahp: consistent judgements give back the ratios they were made of") {
  CHECK(rc::check([] {
    auto const wishes = random_wishes();
    auto const sum = std::accumulate(wishes.begin(), wishes.end(), 0.0);
    JudgementMatrix matrix(wishes.size());
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      for (std::size_t j = 0; j < wishes.size(); ++j)
        matrix[i].push_back(i == j ? 1.0 : wishes[i] / wishes[j]);
    }
    auto const result = priorities(matrix);
    for (std::size_t i = 0; i < wishes.size(); ++i)
      RC_ASSERT(std::abs(result.coefficients[i] - wishes[i] / sum) < 1e-9);
    RC_ASSERT(result.consistency_ratio < 1e-6);
  }));
}

TEST_CASE("ahp: any judgements give positive coefficients of sum 1 that solve the matrix") {
  CHECK(rc::check([] {
    auto const n = static_cast<std::size_t>(*rc::gen::inRange(1, 11));
    auto matrix = identical(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        matrix[i][j] = *rc::gen::inRange(1, 10) * 1.0;
        if (*rc::gen::arbitrary<bool>()) matrix[i][j] = 1.0 / matrix[i][j];
        matrix[j][i] = 1.0 / matrix[i][j];
      }
    }
    RC_ASSERT(problems_of_judgements(matrix).empty());
    auto const result = priorities(matrix);
    RC_ASSERT(
        std::abs(std::accumulate(result.coefficients.begin(), result.coefficients.end(), 0.0) -
                 1.0) < 1e-9);
    RC_ASSERT(result.lambda_max > static_cast<double>(n) - 1e-6);
    for (std::size_t i = 0; i < n; ++i) {
      auto const product =
          std::inner_product(matrix[i].begin(), matrix[i].end(), result.coefficients.begin(), 0.0);
      RC_ASSERT(result.coefficients[i] > 0.0);
      RC_ASSERT(std::abs(product - result.lambda_max * result.coefficients[i]) < 1e-6);
    }
  }));
}

}  // namespace
