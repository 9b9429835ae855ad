#include "loadcalc/boundary.hpp"

#include <cstdint>
#include <limits>

#include "support/catch.hpp"

namespace {

using lvs::loadcalc::Boundary;
using lvs::loadcalc::boundary_width;
using lvs::loadcalc::exceeds_boundary;
using Unit = lvs::loadcalc::Boundary::Unit;

struct Case {
  Boundary boundary;
  std::uint32_t current;
  std::uint32_t target;
  bool exceeds;
};

TEST_CASE("boundary: exceeding means strictly greater") {
  auto const tried = GENERATE(values<Case>({
      {{Unit::weight, 5}, 50, 55, false},
      {{Unit::weight, 5}, 50, 56, true},
      {{Unit::weight, 5}, 50, 45, false},
      {{Unit::weight, 5}, 50, 44, true},
      {{Unit::weight, 0}, 50, 50, false},
      {{Unit::weight, 0}, 50, 51, true},
      {{Unit::weight, 2.5}, 50, 52, false},
      {{Unit::weight, 2.5}, 50, 53, true},
      {{Unit::percent, 5}, 100, 105, false},
      {{Unit::percent, 5}, 100, 106, true},
      {{Unit::percent, 5}, 100, 94, true},
      {{Unit::percent, 5}, 60, 63, false},
      {{Unit::percent, 5}, 4, 5, false},  // at least 1
      {{Unit::percent, 5}, 4, 6, true},
      {{Unit::percent, 0}, 100, 101, false},
      {{Unit::weight, 1}, 0, std::numeric_limits<std::uint32_t>::max(), true},
      {{Unit::weight, 1}, std::numeric_limits<std::uint32_t>::max(), 0, true},
  }));
  CAPTURE(tried.current, tried.target, tried.boundary.value);
  CHECK(exceeds_boundary(tried.boundary, tried.current, tried.target) == tried.exceeds);
}

TEST_CASE("boundary: a width that is no number or negative is the least one") {
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(boundary_width({Unit::weight, nan}, 100) == 0.0);
  CHECK(boundary_width({Unit::percent, nan}, 100) == 1.0);
  CHECK(boundary_width({Unit::weight, -3}, 100) == 0.0);
  CHECK(boundary_width({Unit::percent, -3}, 100) == 1.0);
}

TEST_CASE("boundary: percent is of the current weight") {
  CHECK(boundary_width({Unit::percent, 5}, 200) == 10.0);
  CHECK(boundary_width({Unit::percent, 5}, 20) == 1.0);
  CHECK(boundary_width({}, 100) == 5.0);
}

}  // namespace
