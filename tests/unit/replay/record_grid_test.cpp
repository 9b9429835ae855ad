#include "monitord/record_grid.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using lvs::monitord::on_record_grid;

TEST_CASE("record grid: what decides is what a recording gives back, to the last bit") {
  CHECK(on_record_grid(2.0 / 3.0) == 0.666666667);
  CHECK(on_record_grid(0.25) == 0.25);
  CHECK(on_record_grid(1e300) == 1e300);
  REQUIRE(rc::check("any measure survives its text", [] {
    const auto whole = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const auto part = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'007);
    const double measure =
        on_record_grid(static_cast<double>(whole) / static_cast<double>(part) + 1.0 / 3.0);
    RC_ASSERT(on_record_grid(measure) == measure);
    RC_ASSERT(std::stod(fmt::format("{:.15g}", measure)) == measure);
  }));
}
