#include "monitord/response_engine.hpp"

#include <rapidcheck.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using Failure = ResponseEngine::Failure;

namespace {

constexpr Moment start = 1000s;

ProbeTarget target(std::string_view destination, std::string request = {}) {
  ProbeTarget made;
  made.key = {service_key("tcp:10.9.9.9:80"), destination_key(destination)};
  made.endpoint = {made.key.second.address, made.key.second.port};
  made.request = std::move(request);
  made.interval = 2s;
  made.deadline = 1s;
  return made;
}

std::vector<ProbeTarget> many_targets(std::size_t count) {
  std::vector<ProbeTarget> targets;
  for (std::size_t i = 0; i < count; ++i)
    targets.push_back(
        target("10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1) + ":80"));
  return targets;
}

const ProbeTarget tcp = target("10.0.0.11:80");
const ProbeTarget http = target("10.0.0.12:80", "GET / HTTP/1.1\r\n\r\n");

/// An engine with one target, its first probe just started.
struct Fixture {
  ResponseEngine engine{};
  std::vector<ProbeTarget> targets{};
  Moment now = start;

  explicit Fixture(const ProbeTarget& only) : targets{only} { engine.begin_cycle(now, targets); }

  ProbeId started() {
    now = engine.next().value();
    auto const steps = engine.due(now);
    REQUIRE(steps.start.size() == 1);
    return steps.start.front().id;
  }
  std::optional<double> response() {
    auto const responses = engine.take_responses(now);
    auto const found = responses.find(targets.front().key);
    return found == responses.end() ? std::nullopt : std::optional(found->second);
  }
};

}  // namespace

TEST_CASE("responses: failures of every kind give no number and are counted") {
  struct Case {
    ProbeTarget who;
    std::optional<Failure> failure;
    std::string reply;
    ProbeCounters counters;
  };
  auto const [who, failure, reply, counters] = GENERATE(values<Case>({
      {tcp, Failure::refused, "", {.sent = 1, .refused = 1}},
      {tcp, Failure::unreachable, "", {.sent = 1, .unreachable = 1}},
      {http, Failure::cut_short, "", {.sent = 1, .bad_reply = 1}},
      {http, {}, "SSH-2.0-OpenSSH_9.2\r\n", {.sent = 1, .bad_reply = 1}},
      {http, {}, "HTTP/1.1 200 " + std::string(9000, 'x'), {.sent = 1, .bad_reply = 1}},
      {http, {}, "HTTP/1.1 503 Busy\r\n", {.sent = 1, .bad_status = 1}},
      {http, {}, "HTTP/1.1 101 Switching\r\n", {.sent = 1, .bad_status = 1}},
  }));
  Fixture probe(who);
  auto const id = probe.started();
  if (failure) {
    probe.engine.failed(id, *failure);
  } else {
    CHECK(probe.engine.connected(id, probe.now) == who.request);
    CHECK_FALSE(probe.engine.received(id, reply, probe.now));
  }
  CHECK(probe.engine.counters() == counters);
  CHECK(probe.engine.counters().failed() == 1);
  CHECK_FALSE(probe.response().has_value());
  auto const faults = probe.engine.take_faults();
  REQUIRE(faults.size() == 1);
  CHECK(faults.begin()->second == string_from_endpoint(who.endpoint));
  CHECK(probe.engine.take_faults().empty());
}

TEST_CASE("responses: a connection that stands is the answer over TCP") {
  Fixture probe(tcp);
  auto const id = probe.started();
  probe.now += 4ms;
  CHECK(probe.engine.connected(id, probe.now).empty());
  CHECK(probe.response() == Approx(0.004));
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1, .answered = 1});
}

TEST_CASE("responses: over HTTP it is the first byte of a reply that turns out to be good") {
  Fixture probe(http);
  auto const id = probe.started();
  CHECK(probe.engine.connected(id, probe.now += 1ms) == http.request);
  CHECK(probe.engine.received(id, "HTTP/1.", probe.now += 6ms));
  CHECK(probe.engine.received(id, "1 200 OK", probe.now += 100ms));
  CHECK_FALSE(probe.engine.received(id, "\r\nServer: x\r\n", probe.now += 100ms));
  CHECK(probe.response() == Approx(0.007));
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1, .answered = 1});
}

TEST_CASE("responses: a timeout counts as the deadline and what comes later as nothing") {
  auto const who = GENERATE(values<ProbeTarget>({tcp, http}));
  Fixture probe(who);
  auto const id = probe.started();
  if (!who.request.empty()) {
    probe.engine.connected(id, probe.now);
    CHECK(probe.engine.received(id, "HTTP/1.1 ", probe.now += 1ms));  // a slow trickle
    probe.now -= 1ms;
  }
  CHECK(probe.engine.next() == probe.now + 1s);
  probe.now += 1s;
  auto const steps = probe.engine.due(probe.now);
  CHECK(steps.give_up == std::vector{id});
  CHECK(probe.response() == Approx(1.0));
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1, .timeouts = 1});

  CHECK(probe.engine.connected(id, probe.now).empty());
  CHECK_FALSE(probe.engine.received(id, "HTTP/1.1 200 OK\r\n", probe.now));
  probe.engine.failed(id, Failure::refused);
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1, .timeouts = 1});
}

TEST_CASE("responses: no number is above the deadline even when the host slept") {
  Fixture probe(tcp);
  auto const id = probe.started();
  probe.now += 1h;
  CHECK(probe.engine.connected(id, probe.now).empty());
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1, .timeouts = 1});
  probe.now = start + 2s;
  CHECK(probe.response() == Approx(1.0));
}

TEST_CASE("responses: the mean is over what came since it was last taken") {
  auto quick = tcp;
  quick.interval = 500ms;
  quick.deadline = 400ms;
  Fixture probe(quick);
  CHECK_FALSE(probe.response().has_value());
  for (auto const took : {10ms, 20ms, 60ms}) {
    auto const id = probe.started();
    probe.engine.connected(id, probe.now + took);
  }
  CHECK(probe.response() == Approx(0.03));
  auto const id = probe.started();
  probe.engine.connected(id, probe.now += 50ms);
  CHECK(probe.response() == Approx(0.05));
}

TEST_CASE("responses: a mean outlives two intervals without a number and no more") {
  Fixture probe(tcp);
  probe.engine.connected(probe.started(), probe.now);
  auto const heard = probe.now;
  CHECK(probe.response() == Approx(0.0).margin(1e-9));
  probe.engine.failed(probe.started(), Failure::refused);
  CHECK(probe.response().has_value());
  probe.now = heard + 5s;
  CHECK(probe.response().has_value());
  probe.now = heard + 5001ms;
  CHECK_FALSE(probe.response().has_value());
}

TEST_CASE("responses: targets are asked once an interval at places of their own") {
  ResponseEngine engine;
  auto const targets = many_targets(4);
  engine.begin_cycle(start, targets);
  std::map<Endpoint, std::vector<Moment>> asked;
  for (Moment now = start; now <= start + 6s; now += 100ms) {
    if (now == start + 2s || now == start + 4s) engine.begin_cycle(now, targets);
    for (auto const& probe : engine.due(now).start) {
      asked[probe.to].push_back(now - start);
      engine.connected(probe.id, now);
    }
  }
  REQUIRE(asked.size() == 4);
  Moment place = 400ms;
  for (auto const& who : targets) {
    CHECK(asked[who.endpoint] == std::vector<Moment>{place, place + 2s, place + 4s});
    place += 400ms;
  }
}

TEST_CASE("responses: turns that were slept through are not made up for") {
  Fixture probe(tcp);
  probe.engine.connected(probe.started(), probe.now);
  auto const place = probe.now;
  CHECK(probe.engine.due(place + 1h + 100ms).start.size() == 1);
  CHECK(probe.engine.next() == place + 1h + 1100ms);  // its deadline
  probe.engine.due(place + 1h + 1100ms);
  CHECK(probe.engine.next() == place + 1h + 2s);
}

TEST_CASE("responses: only so many are open at a time and the longest waiting is next") {
  ResponseEngine engine;
  auto const targets = many_targets(100);
  engine.begin_cycle(start, targets);
  auto const first = engine.due(start + 2s).start;
  REQUIRE(first.size() == ResponseEngine::most_at_once);
  CHECK(engine.due(start + 2s).start.empty());
  CHECK(engine.next() == start + 3s);  // nothing but a deadline

  engine.failed(first[7].id, Failure::refused);
  auto const next = engine.due(start + 2s).start;
  REQUIRE(next.size() == 1);
  CHECK(next[0].to == targets[ResponseEngine::most_at_once].endpoint);
}

TEST_CASE("responses: a target has one probe open though its turn comes again") {
  auto who = tcp;
  who.deadline = who.interval;
  Fixture probe(who);
  auto const place = probe.engine.next().value();
  CHECK(probe.engine.due(place + 500ms).start.size() == 1);  // it had to wait
  CHECK(probe.engine.due(place + 2s).start.empty());
  auto const steps = probe.engine.due(place + 2500ms);
  CHECK(steps.give_up.size() == 1);
  CHECK(steps.start.empty());
  CHECK(probe.engine.due(place + 4s).start.size() == 1);
}

TEST_CASE("responses: a target missing from one list keeps its time and is not asked") {
  Fixture probe(tcp);
  probe.engine.connected(probe.started(), probe.now += 4ms);
  CHECK(probe.response().has_value());
  probe.engine.begin_cycle(start + 2s, {});
  CHECK(probe.engine.due(start + 4s).start.empty());
  probe.now = start + 4s;
  CHECK(probe.response().has_value());
  probe.engine.begin_cycle(start + 4s, probe.targets);
  CHECK(probe.started() > 0);

  probe.engine.begin_cycle(start + 6s, {});
  probe.engine.begin_cycle(start + 8s, {});
  CHECK_FALSE(probe.response().has_value());
}

TEST_CASE("responses: a probe that is open when its target goes or changes is given up") {
  bool const goes = GENERATE(true, false);
  Fixture probe(tcp);
  auto const id = probe.started();
  if (goes) {
    probe.engine.begin_cycle(probe.now, {});
    probe.engine.begin_cycle(probe.now, {});
  } else {
    probe.targets.front().deadline = 500ms;
    probe.engine.begin_cycle(probe.now, probe.targets);
  }
  auto const steps = probe.engine.due(probe.now);
  CHECK(steps.give_up == std::vector{id});
  probe.engine.connected(id, probe.now);
  CHECK(probe.engine.counters() == ProbeCounters{.sent = 1});
  CHECK_FALSE(probe.response().has_value());
  CHECK(probe.engine.next().has_value() == !goes);
}

TEST_CASE("responses: whatever happens every number is within its deadline and bounds hold") {
  REQUIRE(rc::check([] {
    ResponseEngine engine;
    auto const all = many_targets(80);
    Moment now = start;
    std::map<ProbeId, Endpoint> open;
    for (int step = 0; step < 60; ++step) {
      if (*rc::gen::inRange(0, 8) == 0) {
        auto const count = *rc::gen::inRange<std::size_t>(0, all.size() + 1);
        engine.begin_cycle(now, std::span(all).first(count));
      }
      auto const steps = engine.due(now);
      for (auto const id : steps.give_up)
        open.erase(id);
      for (auto const& probe : steps.start) {
        for (auto const& [id, to] : open)
          RC_ASSERT(to != probe.to);
        open.emplace(probe.id, probe.to);
      }
      RC_ASSERT(open.size() <= ResponseEngine::most_at_once);
      while (!open.empty() && *rc::gen::inRange(0, 3) > 0) {
        auto const id = open.begin()->first;
        open.erase(open.begin());
        if (*rc::gen::arbitrary<bool>()) {
          engine.connected(id, now);
        } else {
          engine.failed(id, Failure::unreachable);
        }
      }
      for (auto const& [key, response] : engine.take_responses(now))
        RC_ASSERT(response >= 0 && response <= 1.0);
      auto const& counters = engine.counters();
      RC_ASSERT(counters.sent >= counters.answered + counters.timeouts + counters.failed());
      now += std::chrono::milliseconds(*rc::gen::inRange(0, 700));
      RC_ASSERT(open.empty() || engine.next().has_value());
    }
  }));
}
