// The judge of the chaos run: it has to see what breaks a law, and nothing else.

#include "kernel/chaos/judge.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/chaos/cycles.hpp"
#include "kernel/chaos/kept_judge.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace lvs::chaos;

namespace {

Look look(Moment at, std::map<std::string, Destination> destinations) {
  return {at, {{"tcp 10.9.9.9:80", "wlc"}}, std::move(destinations)};
}

/// What is said after `before` became `after` without an edit.
std::vector<std::string> broken_by(const Look& before, const Look& after) {
  Judge judge;
  judge.start_again(before);
  judge.look(after);
  return judge.broken();
}

}  // namespace

TEST_CASE("chaos judge: what breaks a law is named") {
  struct Case {
    std::map<std::string, Destination> before{}, after{};
    std::string text{};
  };
  auto const one = GENERATE(values<Case>({
      {{{"a", {0, "x"}}}, {{"a", {5, "x"}}}, "a foreign 0 was written over: 0 (x) -> 5 (x)"},
      {{{"a", {5, "x"}}}, {{"a", {0, "x"}}}, "0 was written: 5 (x) -> 0 (x)"},
      {{{"a", {5, "x"}}},
       {{"a", {101, "x"}}},
       "a weight out of range was written: 5 (x) -> 101 (x)"},
      {{{"a", {5, "x"}}}, {{"a", {5, "y"}}}, "more than the weight changed: 5 (x) -> 5 (y)"},
      {{{"a", {5, "x"}}}, {}, "gone, and nobody removed it: 5 (x) -> absent"},
      {{}, {{"a", {5, "x"}}}, "a destination that nobody added: absent -> 5 (x)"},
  }));
  CHECK(broken_by(look(1s, one.before), look(2s, one.after)) ==
        std::vector<std::string>{"a: " + one.text});
}

TEST_CASE("chaos judge: a service that changes is named") {
  auto after = look(2s, {});
  after.services["tcp 10.9.9.9:80"] = "wrr";
  CHECK(broken_by(look(1s, {}), after).size() == 1);
  after.services.clear();
  CHECK(broken_by(look(1s, {}), after).size() == 1);
}

TEST_CASE("chaos judge: other weights are what monitord is for") {
  Judge judge;
  judge.start_again(look(1s, {{"a", {5, "x"}}, {"b", {0, "x"}}}));
  judge.look(look(2s, {{"a", {100, "x"}}, {"b", {0, "x"}}}));
  judge.look(look(3s, {{"a", {1, "x"}}, {"b", {0, "x"}}}));
  CHECK(judge.broken().empty());
  CHECK(judge.writes() == 2);
  CHECK(judge.lost_edits() == 0);
}

TEST_CASE("chaos judge: an edit may do all of that to its own destination alone") {
  Judge judge;
  judge.start_again(look(1s, {{"a", {5, "x"}}, {"b", {5, "x"}}}));
  judge.edited({2s, {{"a", 0}}}, look(2s + 1ms, {{"a", {0, "y"}}, {"b", {5, "x"}}}));
  judge.edited({3s, {{"a", std::nullopt}}}, look(3s + 1ms, {{"b", {5, "x"}}}));
  judge.edited({4s, {{"a", 200}}}, look(4s + 1ms, {{"a", {200, "z"}}, {"b", {5, "x"}}}));
  CHECK(judge.broken().empty());
  judge.edited({5s, {{"a", 3}}}, look(5s + 1ms, {{"a", {3, "z"}}, {"b", {0, "x"}}}));
  CHECK(judge.broken().size() == 1);
}

TEST_CASE("chaos judge: only right after an edit can a write have been on its way") {
  auto const [passed, lost] = GENERATE(table<Moment, bool>({{20ms, true}, {200ms, false}}));
  Judge judge;
  judge.start_again(look(1s, {{"a", {5, "x"}}}));
  judge.edited({2s, {{"a", 0}}}, look(2s + 1ms, {{"a", {0, "y"}}}));
  judge.look(look(2s + passed, {{"a", {7, "x"}}}));  // with what was read before the edit
  CHECK(judge.broken().empty() == lost);
  CHECK((judge.lost_edits() > 0) == lost);
  CHECK(judge.take_lost("a") == lost);
  CHECK_FALSE(judge.take_lost("a"));
}

TEST_CASE("chaos judge: what is removed stays removed and what is added stays") {
  Judge judge;
  judge.start_again(look(1s, {{"a", {5, "x"}}}));
  judge.edited({2s, {{"a", std::nullopt}}}, look(2s + 1ms, {{"a", {5, "x"}}}));
  CHECK(judge.broken().size() == 1);
  judge.edited({3s, {{"b", 5}}}, look(3s + 1ms, {{"a", {5, "x"}}}));
  CHECK(judge.broken().size() == 2);
}

TEST_CASE("chaos judge: an edit that is written over at once is lost") {
  Judge judge;
  judge.start_again(look(1s, {{"a", {5, "x"}}}));
  judge.edited({2s, {{"a", 0}}}, look(2s + 3ms, {{"a", {6, "x"}}}));
  CHECK(judge.broken().empty());
  CHECK(judge.lost_edits() == 1);
  CHECK(judge.longest_loss() == 3ms);
}

TEST_CASE("chaos cycles: counted within one life of monitord") {
  Cycles cycles;
  cycles.seen(10s, 3);
  cycles.seen(14s, 11);
  cycles.seen(15s, 2);  // another process
  cycles.seen(16s, 4);
  cycles.forget();
  cycles.seen(60s, 5);
  CHECK(cycles.counted() == 10);
  CHECK(cycles.expected(500ms) == 10);
}

TEST_CASE("chaos judge of keepalived's service: only keepalived ends a 0, with its own weight") {
  struct Case {
    std::uint32_t weight{};
    Moment passed{};
    std::size_t broken{}, lost{}, returns{};
    bool watched{true};  ///< looked at on the way
    std::size_t unseen{};
  };
  auto const one = GENERATE(values<Case>({
      {50, 1s, 0, 0, 1},           // given back
      {7, 1s, 1, 0, 0},            // written over
      {7, 150ms, 0, 1, 0},         // on its way when it was set
      {7, 1s, 0, 0, 0, false, 1},  // given back and steered on while nobody looked
  }));
  KeptJudge judge(50);
  judge.start_again(1s, {{"a", {20, "x"}}});
  judge.look(2s, {{"a", {0, "x"}}});
  if (one.watched && one.passed > 400ms) judge.look(2s + one.passed - 400ms, {{"a", {0, "x"}}});
  judge.look(2s + one.passed, {{"a", {one.weight, "x"}}});
  CHECK(judge.unseen() == one.unseen);
  CHECK(judge.failures() == 1);
  CHECK(judge.broken().size() == one.broken);
  CHECK(judge.lost() == one.lost);
  CHECK(judge.returns() == one.returns);
}

TEST_CASE("chaos judge of keepalived's service: what else breaks a law is named") {
  using Destinations = std::map<std::string, Destination>;
  auto const after = GENERATE(values<Destinations>({
      {{"a", {20, "y"}}},
      {{"a", {101, "x"}}},
      {},
      {{"a", {20, "x"}}, {"b", {20, "x"}}},
  }));
  KeptJudge judge(50);
  judge.start_again(1s, {{"a", {20, "x"}}});
  judge.look(2s, after);
  CHECK(judge.broken().size() == 1);
}
