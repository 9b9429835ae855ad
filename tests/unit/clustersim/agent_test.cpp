#include <cstdint>
#include <optional>

#include "clustersim/agent.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Agent;
using lvs::clustersim::AgentBehaviour;
using lvs::clustersim::moment_from_seconds;
using lvs::clustersim::Random;
using lvs::clustersim::Reader;
using lvs::clustersim::Sample;
using lvs::clustersim::Server;
using lvs::clustersim::SharedProcessor;

constexpr double deadline_s = 0.5;

Server server_of(unsigned cores) {
  Server server;
  server.cores = cores;
  server.memory_used = 0.4;
  server.memory_per_request = 0.1;
  return server;
}

TEST_CASE("agent: a silent one never answers") {
  SharedProcessor const processor(server_of(1));
  Agent agent(processor, {}, Random(1));
  CHECK(agent.answer_delay(1, deadline_s).has_value());
  agent.set_answers(false);
  CHECK_FALSE(agent.answer_delay(1, deadline_s));
  agent.set_answers(true);
  CHECK(agent.answer_delay(1, deadline_s).has_value());
}

TEST_CASE("agent: a lost answer is asked for once more half a deadline later") {
  SharedProcessor const processor(server_of(1));
  AgentBehaviour behaviour;
  behaviour.loss = 0.4;
  behaviour.lag_s = 0.01;
  Agent const agent(processor, behaviour, Random(1));
  int first = 0;
  int second = 0;
  for (std::uint64_t question = 0; question < 10000; ++question) {
    auto const delay = agent.answer_delay(question, deadline_s);
    if (delay && *delay == Approx(0.01)) ++first;
    if (delay && *delay == Approx(0.26)) ++second;
  }
  CHECK(first == Approx(6000).epsilon(0.05));
  CHECK(second == Approx(2400).epsilon(0.05));
}

TEST_CASE("agent: a saturated server answers late and at most by a second") {
  SharedProcessor processor(server_of(1));
  Agent agent(processor, {}, Random(1));
  processor.add(0, 100, 1);
  agent.sample(1, processor);
  agent.sample(2, processor);
  int late = 0;
  for (std::uint64_t question = 0; question < 1000; ++question) {
    auto const delay = agent.answer_delay(question, deadline_s);
    REQUIRE(delay.has_value());
    CHECK(*delay <= 1.005);
    if (*delay > 0.155) ++late;
  }
  CHECK(late == Approx(500).epsilon(0.1));
  AgentBehaviour prompt;
  prompt.late_when_busy = false;
  Agent lucky(processor, prompt, Random(1));
  lucky.sample(3, processor);
  lucky.sample(4, processor);
  CHECK(lucky.answer_delay(1, deadline_s) == 0.005);
}

TEST_CASE("reader: a first answer is a base line and an old one says nothing") {
  Reader reader(1);
  CHECK_FALSE(reader.reading({1, 0, 0.5, 0.6, 0, 0}));
  CHECK_FALSE(reader.reading({1, 0, 0.5, 0.6, 0, 0}));
  CHECK_FALSE(reader.reading({0, 0, 0.1, 0.6, 0, 0}));
  CHECK(reader.reading({2, 0, 0.6, 0.6, 0, 0}).has_value());
}

TEST_CASE("reader: C is of the time between two samples and M of the newer one") {
  SharedProcessor processor(server_of(2));
  Agent agent(processor, {}, Random(1));
  Reader reader(2);
  processor.set_background(0, 0.25);
  agent.sample(1, processor);
  CHECK_FALSE(reader.reading(agent.latest()));
  processor.add(1, 100, 1);
  agent.sample(2, processor);
  processor.add(2, 100, 2);
  agent.sample(3, processor);
  auto const reading = reader.reading(agent.latest());
  REQUIRE(reading.has_value());
  CHECK(reading->taken == moment_from_seconds(3));
  CHECK(reading->cpu_busy.value() == Approx((1.5 + 2) / 4));
  CHECK(reading->mem_available.value() == Approx(0.4));
  CHECK(reading->further.processes == 2);
  CHECK(reading->further.load_per_cpu.value() > 0);
}

TEST_CASE("reader: the counters of two boots are not compared") {
  SharedProcessor processor(server_of(1));
  Agent agent(processor, {}, Random(1));
  Reader reader(1);
  agent.sample(1, processor);
  reader.reading(agent.latest());
  agent.rebooted();
  agent.sample(2, processor);
  CHECK_FALSE(reader.reading(agent.latest()));
  agent.sample(3, processor);
  CHECK(reader.reading(agent.latest()).has_value());
}

}  // namespace
