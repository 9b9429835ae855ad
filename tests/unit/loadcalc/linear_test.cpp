#include "loadcalc/linear.hpp"

#include <cstddef>
#include <vector>

#include "support/catch.hpp"
#include "unit/loadcalc/pools.hpp"

namespace {

using lvs::loadcalc::linear_targets;
using lvs::loadcalc::LinearParameters;
using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::testing::pool_of;

Member member_with(double cpu, double free_memory) {
  Member member;
  member.base = member.current = 20;
  member.measures = Measures{cpu, free_memory};
  member.further.network_utilisation = 0.3;
  member.further.disk_utilisation = 0.2;
  member.further.load_per_cpu = 0.5;
  return member;
}

TEST_CASE("linear: the load is the weighted sum and the weight what is left") {
  auto const target = linear_targets(pool_of({member_with(0.6, 0.7)}), {})[0];
  auto const load = 0.4 * 0.6 + 0.2 * 0.3 + 0.1 * 0.3 + 0.1 * 0.2 + 0.1 * 0.5 + 0.1 * 0.5;
  CHECK(target.score.value() == Approx(load));
  CHECK(target.weight == Approx(20 * (1 - load)));
}

TEST_CASE("linear: each coefficient belongs to its metric") {
  struct Case {
    const char* metric;
    double lvs::loadcalc::LinearCoefficients::*share;
    double load;
  };
  const std::vector<Case> cases{
      {"CPU", &lvs::loadcalc::LinearCoefficients::cpu, 0.6},
      {"MEM", &lvs::loadcalc::LinearCoefficients::memory, 0.3},
      {"NET", &lvs::loadcalc::LinearCoefficients::network, 0.3},
      {"DISK", &lvs::loadcalc::LinearCoefficients::disk, 0.2},
      {"LOAD", &lvs::loadcalc::LinearCoefficients::load_average, 1.0},
      {"INPUT", &lvs::loadcalc::LinearCoefficients::connections, 0.75},
  };
  auto member = member_with(0.6, 0.7);
  member.further.load_per_cpu = 2.5;  // counts as 1
  member.input = 1.5;
  for (auto const& one : cases) {
    INFO(one.metric);
    LinearParameters parameters;
    parameters.coefficients = {0, 0, 0, 0, 0, 0};
    parameters.coefficients.*one.share = 1;
    auto const target = linear_targets(pool_of({member}), parameters)[0];
    CHECK(target.score.value() == Approx(one.load));
    REQUIRE(target.terms.size() == 1);
    CHECK(target.terms[0].name == one.metric);
  }
}

TEST_CASE("linear: above 90 % of one resource a server is sent to the floor") {
  auto const free = member_with(0.3, 0.7);
  struct Case {
    const char* note;
    void (*fill)(Member&);
  };
  const std::vector<Case> cases{
      {"CPU above the cut-off: floor", [](Member& m) { m.measures->cpu_occupancy = 0.91; }},
      {"MEM above the cut-off: floor", [](Member& m) { m.measures->free_memory_rate = 0.09; }},
      {"NET above the cut-off: floor", [](Member& m) { m.further.network_utilisation = 0.91; }},
      {"DISK above the cut-off: floor", [](Member& m) { m.further.disk_utilisation = 0.91; }},
  };
  for (auto const& one : cases) {
    INFO(one.note);
    auto full = free;
    one.fill(full);
    auto const targets = linear_targets(pool_of({full, free}), {});
    CHECK(targets[0].weight == Approx(0.2));
    CHECK(targets[0].note == one.note);
    CHECK(targets[1].weight > 10);
  }
}

TEST_CASE("linear: exactly 90 % and numbers without an end cut nobody off") {
  auto member = member_with(0.9, 0.7);
  member.further.load_per_cpu = 8;
  member.input = 8;
  auto const targets = linear_targets(pool_of({member, member_with(0.3, 0.7)}), {});
  CHECK(targets[0].note.empty());
  CHECK(targets[0].weight > 1);
}

TEST_CASE("linear: a resource with coefficient 0 cuts nobody off") {
  auto full = member_with(0.3, 0.7);
  full.further.disk_utilisation = 1;
  LinearParameters parameters;
  parameters.coefficients.disk = 0;
  CHECK(linear_targets(pool_of({full, member_with(0.3, 0.7)}), parameters)[0].note.empty());
}

TEST_CASE("linear: where all are above the cut-off the loads decide") {
  auto const targets =
      linear_targets(pool_of({member_with(0.97, 0.7), member_with(0.92, 0.7)}), {});
  CHECK(targets[0].weight > 1);
  CHECK(targets[1].weight > targets[0].weight);
}

}  // namespace
