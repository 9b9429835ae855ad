#include "monitord/outputs/haproxy_answers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const auto web = service_key("pool web");

OutputServer server(const std::string& name, std::uint32_t base, std::uint32_t weight) {
  return {destination_key("10.0.0.1" + name.substr(1) + ":80"), name, base, weight};
}

OutputPool two_servers() {
  return {web, "be", {server("s1", 100, 100), server("s2", 50, 50)}};
}

struct Fixture {
  HaproxyAnswers answers{};
  Moment now{100s};

  explicit Fixture(bool acts = true) { answers.declare({two_servers()}, acts, now); }

  std::string ask(const std::string& question) { return answers.answer(question + "\n", now); }
  void write(const OutputServer& one) { REQUIRE(answers.apply(web, {&one, 1}).at(0).has_value()); }
};

/// HAProxy 2.6, server_parse_weight_change_request().
std::uint32_t weight_in_haproxy(unsigned percent, std::uint32_t base) {
  return std::min<std::uint32_t>(base * std::min(percent, 25600U) / 100, 256);
}

}  // namespace

TEST_CASE("haproxy question: what is none is refused") {
  auto const line =
      GENERATE(as<std::string>{}, "", "\n", "/", "be", "be/", "/s1", "be/s1/x", "be s1", " be/s1",
               "be/s1 ", "be/s\x01", "b\xc3\xa4/s1", "GET / HTTP/1.1\r\n", "be\n/s1",
               std::string("be/s1\0x", 7), std::string(200, 'a') + "/" + std::string(200, 'b'));
  CAPTURE(line);
  CHECK_FALSE(question_from_line(line).has_value());
}

TEST_CASE("haproxy question: backend and server, however the line ends") {
  auto const line = GENERATE(as<std::string>{}, "be/s1", "be/s1\n", "be/s1\r\n", "be/s1\nmore");
  CHECK(question_from_line(line) == AgentQuestion{"be", "s1"});
  CHECK(question_from_line("a.b:c-d_e/1") == AgentQuestion{"a.b:c-d_e", "1"});
}

TEST_CASE("haproxy percent: HAProxy makes the weight of it again") {
  CHECK(haproxy_percent(0, 100) == 0);
  CHECK(haproxy_percent(5, 0) == 0);  // there is no such base
  for (std::uint32_t base = 1; base <= 256; ++base) {
    for (std::uint32_t weight = 1; weight <= 256; ++weight) {
      auto const made = weight_in_haproxy(haproxy_percent(weight, base), base);
      bool const exact = made == weight || (base > 100 && made > weight && made <= weight + 2);
      if (!exact) FAIL("base " << base << ", weight " << weight << " becomes " << made);
    }
    CHECK(haproxy_percent(base, base) == 100);
  }
}

TEST_CASE("haproxy answers: an unknown server and no question at all change nothing in HAProxy") {
  Fixture host;
  for (auto const* const question : {"be/s3", "other/s1", "be", ""}) {
    auto const answer = host.ask(question);
    CAPTURE(question, answer);
    REQUIRE(answer.ends_with('\n'));
    auto const word = answer.substr(0, answer.size() - 1);
    // One word, none of HAProxy's: it shows it as an error of the agent.
    CHECK(word.find_first_of(" \t,#\r\n") == std::string::npos);
    CHECK(word.starts_with("monitord-"));
    CHECK(word.find('%') == std::string::npos);
  }
  CHECK(host.answers.counters() == QuestionCounters{0, 2, 2, 0});
  auto const faults = host.answers.take_faults();
  CHECK(faults.at("unknown") == "other/s1");
  CHECK(host.answers.take_faults().empty());
}

TEST_CASE("haproxy answers: whoever does not end the line is told what is missing") {
  Fixture host;
  CHECK(host.answers.answer_to_slow().starts_with("monitord-expects-"));
  CHECK(host.answers.counters().timeouts == 1);
}

TEST_CASE("haproxy answers: a weight is a percentage of the base") {
  Fixture host;
  CHECK(host.ask("be/s1") == "up 100%\n");
  CHECK(host.ask("be/s2") == "up 100%\n");
  host.write(server("s1", 100, 37));
  host.write(server("s2", 50, 100));
  CHECK(host.ask("be/s1") == "up 37%\n");
  CHECK(host.ask("be/s2") == "up 200%\n");
  host.write(server("s1", 100, 0));
  CHECK(host.ask("be/s1") == "up 0%\n");
  CHECK(host.answers.counters().answered == 5);
}

TEST_CASE("haproxy answers: a weight of nobody's is refused") {
  Fixture host;
  auto const stranger = server("s9", 100, 1);
  CHECK_FALSE(host.answers.apply(web, {&stranger, 1}).at(0).has_value());
  auto const one = server("s1", 100, 1);
  CHECK_FALSE(host.answers.apply(service_key("pool x"), {&one, 1}).at(0).has_value());
}

TEST_CASE("haproxy answers: all is told once HAProxy has asked for it") {
  Fixture host;
  CHECK(host.answers.all_told());  // who never asks is not waited for
  host.ask("be/s1");
  host.ask("be/s2");
  CHECK(host.answers.all_told());
  host.write(server("s1", 100, 37));
  CHECK_FALSE(host.answers.all_told());
  host.ask("be/s2");
  CHECK_FALSE(host.answers.all_told());
  host.ask("be/s1");
  CHECK(host.answers.all_told());
  host.write(server("s1", 100, 37));  // the same again
  CHECK(host.answers.all_told());
}

TEST_CASE("haproxy answers: declared anew, only what has changed has to be told") {
  Fixture host;
  host.ask("be/s1");
  host.ask("be/s2");
  host.answers.declare({two_servers()}, true, host.now);
  CHECK(host.answers.all_told());
  auto pool = two_servers();
  pool.servers[0].base = 50;
  host.answers.declare({pool}, true, host.now);
  CHECK_FALSE(host.answers.all_told());
  CHECK(host.ask("be/s1") == "up 200%\n");
}

TEST_CASE("haproxy answers: a server that is let go at 0 gets its base back, once") {
  Fixture host;
  host.ask("be/s1");
  host.write(server("s1", 100, 0));
  host.ask("be/s1");
  host.answers.declare({}, true, host.now);
  CHECK(host.answers.is_wanted());
  CHECK(host.ask("be/s2").starts_with("monitord-has-no-server"));  // it had its weight
  CHECK(host.ask("be/s1") == "up 100%\n");
  CHECK(host.ask("be/s1").starts_with("monitord-has-no-server"));
  CHECK_FALSE(host.answers.is_wanted());
}

TEST_CASE("haproxy answers: a server that comes back before that is its pool's again") {
  Fixture host;
  host.write(server("s1", 100, 0));
  host.answers.declare({}, true, host.now);
  host.answers.declare({two_servers()}, true, host.now);
  host.write(server("s1", 100, 20));
  CHECK(host.ask("be/s1") == "up 20%\n");
  CHECK(host.ask("be/s1") == "up 20%\n");
}

TEST_CASE("haproxy answers: who is not asked for is named, and only then") {
  Fixture host;
  host.now += HaproxyAnswers::silence;
  CHECK(host.answers.notes(host.now).empty());
  host.ask("be/s1");
  host.now += 1s;
  auto const notes = host.answers.notes(host.now);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("pool web: HAProxy does not ask for s2,"));
  CHECK(notes[0].find("\"be/NAME\\n\"") != std::string::npos);
  host.ask("be/s2");
  CHECK(host.answers.notes(host.now).empty());
}

TEST_CASE("haproxy answers: in a dry run nobody is expected to ask") {
  Fixture host(false);
  CHECK_FALSE(host.answers.is_wanted());
  CHECK(host.answers.notes(host.now + 1h).empty());
  host.now += 1h;
  host.answers.declare({two_servers()}, true, host.now);  // and when it ends he has his time
  CHECK(host.answers.notes(host.now + HaproxyAnswers::silence).empty());
}

TEST_CASE("haproxy answers: of many servers that are not asked for some are named") {
  HaproxyAnswers answers;
  OutputPool pool{web, "be", {}};
  for (int i = 0; i < 9; ++i) {
    pool.servers.push_back(
        {destination_key("10.0.0.1:" + std::to_string(80 + i)), "s" + std::to_string(i), 1, 1});
  }
  answers.declare({pool}, true, 0s);
  CHECK(answers.notes(1h).at(0).find("s4 and 4 more") != std::string::npos);
}
