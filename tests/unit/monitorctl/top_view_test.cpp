#include "monitorctl/top_view.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "top_world.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::top_memory;
using Kind = TopKey::Kind;

namespace {

/// Somebody in front of the table of the made-up director: six destinations in three services.
struct Person {
  explicit Person(std::size_t height = 20) : lines(height) { look(); }

  void look() {
    groups = top_groups(memory, view.sort, view.filter);
    settle(view, groups, lines);
  }
  void press_key(TopKey key) {
    press(view, key, groups, lines);
    look();
  }
  void press_keys(std::initializer_list<Kind> kinds) {
    for (const auto kind : kinds)
      press_key({kind});
  }
  void type(std::string_view text) {
    for (const char character : text)
      press_key({Kind::character, character});
  }
  [[nodiscard]] std::string chosen() const { return view.chosen ? view.chosen->destination : ""; }
  /// What is on the screen: headings by their service.
  [[nodiscard]] std::vector<std::string> seen() const {
    std::vector<std::string> texts;
    for (const auto& line : visible_lines(groups, view.first, lines)) {
      texts.push_back(line.row == nullptr ? line.group->service->service
                                          : line.row->now.status->destination);
    }
    return texts;
  }

  TopMemory memory{top_memory(2)};
  TopView view{};
  std::vector<TopGroup> groups{};
  std::size_t lines;
};

}  // namespace

TEST_CASE("top view: the first one is chosen, and arrows stop at either end") {
  Person person;
  CHECK(person.chosen() == "10.0.0.11:80");
  person.press_keys({Kind::up});
  CHECK(person.chosen() == "10.0.0.11:80");
  person.press_keys({Kind::down, Kind::down});
  CHECK(person.chosen() == "10.0.0.13:80");
  person.press_keys({Kind::end});
  const auto last = person.chosen();
  person.press_keys({Kind::down});
  CHECK(person.chosen() == last);
  CHECK(last == "10.0.0.11:0");
  person.press_keys({Kind::home});
  CHECK(person.chosen() == "10.0.0.11:80");
}

TEST_CASE("top view: the chosen one is on the screen under a heading of its service") {
  Person person(4);
  using Texts = std::vector<std::string>;
  CHECK(person.seen() == Texts{"tcp 10.9.9.9:80", "10.0.0.11:80", "10.0.0.12:80", "10.0.0.13:80"});
  person.press_keys({Kind::down, Kind::down, Kind::down});
  CHECK(person.seen() == Texts{"tcp 10.9.9.9:80", "10.0.0.12:80", "10.0.0.13:80", "10.0.0.14:80"});
  person.press_keys({Kind::page_down});
  CHECK(person.seen() == Texts{"udp [fd00::9]:53", "[fd00::11]:53", "fwm 7", "10.0.0.11:0"});
  person.press_keys({Kind::up, Kind::up, Kind::up, Kind::up, Kind::up});
  CHECK(person.seen().front() == "tcp 10.9.9.9:80");
  CHECK(person.seen()[1] == "10.0.0.11:80");
}

TEST_CASE("top view: however high the screen, the chosen row is on it") {
  const auto height = GENERATE(range<std::size_t>(2, 12));
  Person person(height);
  for (const auto kind : {Kind::down, Kind::up}) {
    for (int i = 0; i < 7; ++i) {
      const auto seen = person.seen();
      CHECK(std::count(seen.begin() + 1, seen.end(), person.chosen()) == 1);
      CHECK(seen.size() <= height);
      person.press_keys({kind});
    }
  }
}

TEST_CASE("top view: the choice stays with its destination when the order changes") {
  Person person;
  person.press_keys({Kind::down});
  const auto chosen = person.chosen();
  for (std::size_t i = 0; i < top_sorts.size(); ++i) {
    person.type("s");
    CHECK(person.chosen() == chosen);
  }
  CHECK(person.view.sort == TopSort::table);
}

TEST_CASE("top view: while the first one is chosen, it is the first one of the next order") {
  Person person;
  person.type("ss");
  CHECK(person.view.sort == TopSort::cpu);
  CHECK(person.chosen() == "10.0.0.14:80");
  CHECK(person.view.first == 0);
}

TEST_CASE("top view: a filter works while it is typed, and Escape drops it") {
  Person person;
  person.type("/silent");
  CHECK(person.view.filter_before.has_value());
  CHECK(person.chosen() == "10.0.0.12:80");
  person.type("q");  // a letter like any other now
  CHECK_FALSE(person.view.ended);
  CHECK(person.chosen().empty());
  person.press_keys({Kind::backspace, Kind::enter});
  CHECK(person.view.filter == "silent");
  CHECK_FALSE(person.view.filter_before.has_value());
  person.type("/x");
  person.press_keys({Kind::escape});
  CHECK(person.view.filter == "silent");
  person.press_keys({Kind::escape});
  CHECK(person.view.filter.empty());
}

TEST_CASE("top view: backspace takes a whole character") {
  Person person;
  person.type("/aü");
  person.press_keys({Kind::backspace});
  CHECK(person.view.filter == "a");
  person.press_keys({Kind::backspace, Kind::backspace});
  CHECK(person.view.filter.empty());
}

TEST_CASE("top view: pages open, scroll, and close again") {
  Person person;
  person.press_keys({Kind::enter});
  CHECK(person.view.page == TopPage::detail);
  person.press_keys({Kind::down, Kind::down, Kind::up});
  CHECK(person.view.page_first == 1);
  CHECK(person.chosen() == "10.0.0.11:80");
  settle_page(person.view, 3, 10);
  CHECK(person.view.page_first == 0);
  person.press_keys({Kind::escape});
  CHECK(person.view.page == TopPage::table);
  person.type("?");
  CHECK(person.view.page == TopPage::help);
  person.press_keys({Kind::page_down});
  CHECK(person.view.page_first == 18);
  settle_page(person.view, 25, 20);
  CHECK(person.view.page_first == 5);
  person.type("?");
  CHECK(person.view.page == TopPage::table);
  person.type("d");
  CHECK(person.view.page == TopPage::detail);
  person.type("d");
  CHECK(person.view.page == TopPage::table);
}

TEST_CASE("top view: space holds and goes on, q ends, other keys do nothing") {
  Person person;
  person.type(" ");
  CHECK(person.view.held);
  person.type(" xyz!");
  CHECK_FALSE(person.view.held);
  person.press_keys({Kind::none, Kind::backspace});
  CHECK_FALSE(person.view.ended);
  person.type("q");
  CHECK(person.view.ended);
}

TEST_CASE("top view: with nothing to choose keys break nothing") {
  Person person;
  person.memory = TopMemory();
  person.look();
  person.press_keys({Kind::down, Kind::end, Kind::page_up, Kind::enter});
  CHECK(person.chosen().empty());
  CHECK(person.view.page == TopPage::table);
  CHECK(person.seen().empty());
}
