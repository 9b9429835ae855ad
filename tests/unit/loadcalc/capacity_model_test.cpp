#include "loadcalc/capacity_model.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <rapidcheck.h>

#include "support/catch.hpp"

namespace {

using lvs::loadcalc::learned;
using lvs::loadcalc::LearningParameters;
using lvs::loadcalc::load_caused;
using lvs::loadcalc::Measures;
using lvs::loadcalc::ServerModel;
using lvs::loadcalc::ServerStep;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ServerStep step(double completed, double cpu, double memory = 0.5) {
  return {completed, {cpu, memory}, 0.6 * (1 - cpu) + 0.4 * memory, true};
}

ServerModel taught(double completed, double cpu, int cycles, ServerModel model = {}) {
  for (int i = 0; i < cycles; ++i)
    model = learned(model, step(completed, cpu), {});
  return model;
}

double ratio(const ServerModel& model) {
  return model.work / model.load;
}

TEST_CASE("model: a step that is no number teaches nothing") {
  auto const completed = GENERATE(values<double>({kNan, kInfinity, -kInfinity}));
  auto const before = taught(50, 0.5, 5);
  auto const after = learned(before, step(completed, 0.5), {});
  CAPTURE(completed);
  CHECK(after.work == before.work);
  CHECK(after.load == before.load);
}

TEST_CASE("model: a cycle whose counter lags is made good by the next one") {
  auto lagging = taught(50, 0.5, 20);
  auto steady = lagging;
  for (int cycle = 0; cycle < 40; ++cycle) {
    lagging = learned(lagging, step(cycle % 2 == 0 ? -10 : 110, 0.5), {});
    steady = learned(steady, step(50, 0.5), {});
  }
  CHECK(ratio(lagging) == Approx(ratio(steady)).epsilon(0.03));
}

TEST_CASE("model: a composite that is no number leaves the smoothed one") {
  auto bad = step(50, 0.5);
  bad.composite = kNan;
  auto const before = taught(50, 0.5, 5);
  auto const after = learned(before, bad, {});
  CHECK(after.composite == before.composite);
  CHECK(after.samples == before.samples);
}

TEST_CASE("model: without learning only the smoothed F moves") {
  auto idle = step(0, 0.0);
  idle.learn = false;
  auto const before = taught(50, 0.5, 5);
  auto const after = learned(before, idle, {});
  CHECK(after.work == before.work);
  CHECK(after.load == before.load);
  CHECK(after.work_short == before.work_short);
  CHECK(after.composite > before.composite);
  CHECK(after.samples == before.samples + 1);
}

TEST_CASE("model: the first F is taken whole and later ones by their share") {
  LearningParameters parameters;
  parameters.smoothing = 0.25;
  auto model = learned({}, step(50, 0.5, 0.5), parameters);
  CHECK(model.composite == Approx(0.5));
  model = learned(model, step(50, 1.0, 0.5), parameters);
  CHECK(model.composite == Approx(0.5 + 0.25 * (0.2 - 0.5)));
}

TEST_CASE("model: the last two readings are remembered") {
  auto const model = learned(learned({}, step(1, 0.25), {}), step(1, 0.75), {});
  CHECK(model.previous == Measures{0.25, 0.5});
  CHECK(model.latest == Measures{0.75, 0.5});
}

TEST_CASE("load caused: memory is a brake below a fifth of free memory") {
  auto const [cpu, memory, expected] = GENERATE(table<double, double, double>({
      {kNan, 0.5, 0.0},
      {0.5, kNan, 0.0},
      {0.5, 0.0, 10.0},  // bounded
      {-1.0, 0.5, 0.0},
      {7.0, 0.5, 1.0},
      {0.4, 0.9, 0.4},
      {0.4, 0.2, 0.4},
      {0.4, 0.1, 0.8},
      {0.4, 0.05, 1.6},
  }));
  CAPTURE(cpu, memory);
  CHECK(load_caused({cpu, memory}, {}) == Approx(expected).margin(1e-12));
  LearningParameters no_brake;
  no_brake.memory_brake = 0.0;
  CHECK(load_caused({0.4, 0.01}, no_brake) == 0.4);
}

TEST_CASE("model: the ratio of the sums is the work per load") {
  auto const model = taught(40, 0.5, 100);
  CHECK(ratio(model) == Approx(80.0));
  CHECK(model.disagreements == 0);
  CHECK(model.load == Approx(0.5 * (1 - std::pow(0.98, 100)) / 0.02));
}

TEST_CASE("model: a large change replaces the long window within a few cycles") {
  auto const [completed, cpu] = GENERATE(table<double, double>({
      {40, 1.0},   // slowed to 0.4
      {100, 0.4},  // 2.5 times as fast
      {0, 1.0},    // stuck
  }));
  auto model = taught(100, 1.0, 100);
  int cycles = 0;
  while (model.load > 10 && cycles < 20) {
    model = learned(model, step(completed, cpu), {});
    ++cycles;
  }
  CAPTURE(completed, cpu);
  CHECK(cycles <= 3);
}

TEST_CASE("model: a change under the threshold only blends in") {
  auto model = taught(100, 0.8, 100);
  auto const load = model.load;
  model = taught(90, 0.8, 50, model);
  CHECK(model.load > load);
}

TEST_CASE("model: one odd cycle replaces nothing") {
  auto model = taught(100, 0.5, 100);
  model = learned(model, step(20, 0.5), {});
  CHECK(model.disagreements == 1);
  model = taught(100, 0.5, 3, model);
  CHECK(model.load > 20);
  CHECK(model.disagreements == 0);
}

TEST_CASE("model: counters that are refreshed out of step are no change") {
  // The kernel refreshes them every 2 s: a cycle may see nothing and the next one everything.
  auto model = taught(1000, 0.5, 100);
  for (int i = 0; i < 50; ++i)
    model = learned(model, step(i % 2 == 0 ? 0 : 2000, 0.5), {});
  CHECK(model.load > 20);
}

TEST_CASE("model: few completions are too little evidence for a change") {
  auto model = taught(2, 0.5, 100);
  model = taught(1, 0.5, 3, model);
  CHECK(model.load > 20);
}

TEST_CASE("model: stays finite for any input") {
  REQUIRE(rc::check([](const std::vector<double>& raw) {
    LearningParameters parameters;
    ServerModel model;
    for (std::size_t i = 0; i + 4 < raw.size(); i += 5) {
      parameters.lambda = raw[i];
      parameters.lambda_short = raw[i + 1];
      parameters.smoothing = raw[i + 2];
      model = learned(model, {raw[i + 3], {raw[i + 4], raw[i]}, raw[i + 1], true}, parameters);
      RC_ASSERT(std::isfinite(model.work));
      RC_ASSERT(std::isfinite(model.load) && model.load >= 0);
      RC_ASSERT(std::isfinite(model.composite));
      RC_ASSERT(model.composite >= 0 && model.composite <= 1);
    }
  }));
}

}  // namespace
