#include <rapidcheck.h>

#include <string>
#include <vector>

#include "director.hpp"
#include "monitord/decide.hpp"
#include "monitord/journal_text.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service;
using lvs::monitord::testing::service_key;
using Fault = JournalContent::Fault;

namespace {

DestinationId id(const std::string& service_name, const std::string& destination) {
  return {service_key(service_name), destination_key(destination)};
}

const DestinationId web1 = id("tcp 10.9.9.9:80", "10.0.0.11:80");
const DestinationId web2 = id("tcp 10.9.9.9:80", "[fd00::12]:80");

}  // namespace

TEST_CASE("journal: a line that is no journal line is a fault with its number") {
  auto const bad =
      GENERATE(as<std::string>{}, "garbage", "{}", "[]", "null", "{\"service\":7}",
               R"({"service":"tcp 10.9.9.9:80","destination":"x","forget":true})",
               R"({"service":"nonsense","destination":"10.0.0.1:80","forget":true})",
               R"({"service":"fwm 7","destination":"10.0.0.1:80"})",
               R"({"service":"fwm 7","destination":"10.0.0.1:80","base":1})",
               R"({"service":"fwm 7","destination":"10.0.0.1:80","base":-1,"weight":1})",
               R"({"service":"fwm 7","destination":"10.0.0.1:80","intend":3})",
               R"({"service":"fwm 7","destination":"10.0.0.1:80","base":1,)"
               R"("weight":2147483648})");
  auto const text =
      journal_header() + journal_line_known(web1, {10, false, 8, {}, {}}) + bad + "\n";
  auto const content = journal_from_text(text);
  CHECK(content.fault == Fault::corrupt);
  CHECK(content.line == 3);
  CHECK(content.memory.destinations.empty());
}

TEST_CASE("journal: a foreign or newer header is a fault") {
  auto const [header, fault] = GENERATE(table<std::string, Fault>({
      {"not a journal\n", Fault::corrupt},
      {"{\"monitord_journal\":\"1\"}\n", Fault::corrupt},
      {"{\"monitord_journal\":0}\n", Fault::corrupt},
      {"{\"monitord_journal\":3}\n", Fault::newer_version},
      {"{\"monitord_journal\":2}\n", Fault::none},
      {"{\"monitord_journal\":1}\n", Fault::none},
      {std::string(1, '\0') + "\n", Fault::corrupt},
  }));
  CHECK(journal_from_text(header).fault == fault);
}

TEST_CASE("journal: the last word about a destination wins") {
  auto text = journal_header() + journal_line_known(web1, {10, false, 10, {}, {}}) +
              journal_line_known(web2, {5, true, 5, {}, {}}) + journal_line_intent({web1, 8, {}});
  auto content = journal_from_text(text);
  REQUIRE(content.fault == Fault::none);
  CHECK(content.memory.destinations.at(web1) == RememberedDestination{10, false, 10, 8, {}});
  CHECK(content.memory.destinations.at(web2) == RememberedDestination{5, true, 5, {}, {}});

  text += journal_line_known(web1, {10, false, 8, {}, {}}) + journal_line_forget(web2);
  content = journal_from_text(text);
  CHECK(content.memory.destinations.at(web1) == RememberedDestination{10, false, 8, {}, {}});
  CHECK_FALSE(content.memory.destinations.contains(web2));
}

TEST_CASE("journal: cut at any byte it holds all complete lines") {
  std::vector<std::string> const lines{
      journal_header(), journal_line_known(web1, {10, false, 10, {}, {}}),
      journal_line_intent({web1, 8, {}}), journal_line_known(web2, {5, true, 5, 4, {}})};
  std::string text;
  for (auto const& line : lines)
    text += line;
  auto const whole = journal_from_text(text).memory.destinations;
  REQUIRE(whole.size() == 2);

  std::size_t complete = 0;
  std::string head;
  for (auto const& line : lines) {
    for (std::size_t kept = 0; kept < line.size(); ++kept) {
      auto const content = journal_from_text(head + line.substr(0, kept));
      REQUIRE(content.fault == Fault::none);
      REQUIRE(content.line == complete);
      REQUIRE(content.memory.destinations == journal_from_text(head).memory.destinations);
    }
    head += line;
    ++complete;
  }
}

TEST_CASE("journal: what is written is read again") {
  REQUIRE(rc::check("lines between two memories lead from one to the other", [] {
    auto const any_memory = [] {
      Memory memory;
      auto const count = *rc::gen::inRange(0, 6);
      for (int i = 0; i < count; ++i) {
        DestinationId one = web1;
        one.destination.port = *rc::gen::inRange<std::uint16_t>(1, 5);
        one.service.port = *rc::gen::inRange<std::uint16_t>(1, 3);
        auto const weight = [] { return *rc::gen::inRange<std::uint32_t>(0, 2147483647); };
        RememberedDestination known{weight(), *rc::gen::arbitrary<bool>(), weight(), {}, {}};
        if (*rc::gen::arbitrary<bool>()) known.intended = weight();
        memory.destinations[one] = known;
      }
      return memory;
    };
    auto const before = any_memory();
    auto const after = any_memory();
    auto const content =
        journal_from_text(journal_text(before) + journal_lines_between(before, after));
    RC_ASSERT(content.fault == Fault::none);
    RC_ASSERT(content.memory == after);
    RC_ASSERT(journal_lines_between(after, after).empty());
  }));
}

TEST_CASE("remembered: restored weights and intents are ours and bases stay") {
  // The kernel stands at what was there before the write, at what was intended, or at a foreign 20.
  auto const [kernel, base] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {9, 10},
      {7, 10},
      {20, 20},
  }));
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", kernel}})};
  Remembered remembered{{web1, {10, false, 9, 7, {}}}, {web2, {5, false, 5, {}, {}}}};
  State state;
  restore_seen(state, remembered, table);
  CHECK(remembered.size() == 1);
  CHECK(remembered.contains(web2));

  Observations const seen{std::chrono::seconds(1000), table, {}};
  auto const decision = decide(state, seen, Config{});
  auto const& next = decision.next.services.at(web1.service).destinations.at(web1.destination);
  CHECK(next.base == base);
  CHECK(next.last_weight == kernel);
  CHECK(decision.verdicts.at(0).new_connections == 0);
}

TEST_CASE("remembered: a drained destination keeps the base it had") {
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 0}})};
  Remembered remembered{{web1, {10, false, 9, {}, {}}}};
  State state;
  restore_seen(state, remembered, table);
  auto const next = decide(state, {std::chrono::seconds(1000), table, {}}, Config{}).next;
  CHECK(remembered_from_state(next).at(web1) == RememberedDestination{10, false, 0, {}, {}});
}

TEST_CASE("remembered: what this process knows is not overwritten") {
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}})};
  auto const state = decide({}, {std::chrono::seconds(1000), table, {}}, Config{}).next;
  auto restored = state;
  Remembered remembered{{web1, {99, false, 99, {}, {}}}};
  restore_seen(restored, remembered, table);
  CHECK(restored == state);
  CHECK(remembered.empty());
}
