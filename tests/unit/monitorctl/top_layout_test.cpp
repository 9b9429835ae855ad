#include "monitorctl/top_layout.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"
#include "top_world.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::some_status;
using lvs::monitorctl::testing::top_memory;
using lvs::monitorctl::testing::top_status;

namespace {

/// The frame of a person who has just started it, half a second after the last cycle.
struct Scene {
  explicit Scene(TopMemory remembered) : memory(std::move(remembered)) {}

  std::vector<TopLine> screen(TopSize size, const TopGlyphs& glyphs = unicode_glyphs) {
    groups = top_groups(memory, view.sort, view.filter);
    settle(view, groups, body_height(size));
    return top_screen(frame(glyphs), size);
  }
  [[nodiscard]] TopFrame frame(const TopGlyphs& glyphs = unicode_glyphs) const {
    return {memory, view, groups, "lvs1", memory.time() + 0.5, glyphs};
  }

  TopMemory memory;
  TopView view{};
  std::vector<TopGroup> groups{};
};

std::string text_of(const std::vector<TopLine>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += lvs::monitorctl::text_of(line) + "\n";
  return text;
}

/// The texts that are bold, without the blanks around them.
std::vector<std::string> bold_texts(const std::vector<TopLine>& lines) {
  std::vector<std::string> texts;
  for (const auto& line : lines) {
    for (const auto& span : line) {
      if (!span.style.bold) continue;
      const auto begin = span.text.find_first_not_of(' ');
      const auto end = span.text.find_last_not_of(' ');
      texts.push_back(begin == std::string::npos ? "" : span.text.substr(begin, end - begin + 1));
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("top layout: screens of 80 and 200 columns, with UTF-8 and without") {
  const auto [file, size, glyphs] = GENERATE(table<std::string, TopSize, const TopGlyphs*>({
      {"monitorctl/top-80.txt", {24, 80}, &unicode_glyphs},
      {"monitorctl/top-80-ascii.txt", {24, 80}, &ascii_glyphs},
      {"monitorctl/top-200.txt", {50, 200}, &unicode_glyphs},
      {"monitorctl/top-200-ascii.txt", {50, 200}, &ascii_glyphs},
  }));
  Scene scene(top_memory(299));
  CHECK(text_of(scene.screen(size, *glyphs)) == golden(file));
}

TEST_CASE("top layout: one table for a pipe has every column and nothing cut") {
  Scene scene(top_memory(299));
  scene.groups = top_groups(scene.memory, TopSort::table, "");
  CHECK(text_of(top_listing(scene.frame(), 100'000)) == golden("monitorctl/top-once.txt"));
}

TEST_CASE("top layout: the detail is what explain says, with trends, to the width") {
  Scene scene(top_memory(299));
  scene.view.page = TopPage::detail;
  const auto lines = scene.screen({40, 80});
  CHECK(text_of(lines) == golden("monitorctl/top-detail.txt"));
  CHECK(page_length(scene.frame(), 80) == detail_lines(scene.frame(), 80).size());
}

TEST_CASE("top layout: help names every key and fits into 80 x 40") {
  Scene scene(top_memory(1));
  scene.view.page = TopPage::help;
  const auto text = text_of(scene.screen({40, 80}));
  for (const auto* const key :
       {"q  ", "arrows|up, down", "s  ", "/  ", "space", "d, Enter", "?, h"}) {
    const std::string_view either(key);
    const auto bar = either.find('|');
    INFO(key);
    const bool found =
        text.find(either.substr(0, bar)) != std::string::npos ||
        (bar != std::string_view::npos && text.find(either.substr(bar + 1)) != std::string::npos);
    CHECK(found);
  }
  CHECK(text.find("monitorctl(1) has more.") != std::string::npos);
}

TEST_CASE("top layout: no line is wider than the screen, nor more of them than it has rows") {
  Scene scene(top_memory(5));
  const auto page = GENERATE(TopPage::table, TopPage::detail, TopPage::help);
  const auto* const glyphs = GENERATE(&unicode_glyphs, &ascii_glyphs);
  scene.view.page = page;
  scene.view.filter = GENERATE(as<std::string>{}, "", "10.0.0.1", "nobody");
  for (std::size_t columns = 1; columns <= 220; columns += 3) {
    for (const std::size_t rows : {1U, 5U, 6U, 24U}) {
      const auto lines = scene.screen({rows, columns}, *glyphs);
      CHECK(lines.size() <= rows);
      for (const auto& line : lines)
        CHECK(width_of(line) <= columns);
    }
  }
}

TEST_CASE("top layout: changed cells are bold for one poll") {
  TopMemory memory;
  auto status = some_status();
  memory.take(status, 0);
  Scene scene(std::move(memory));
  CHECK(bold_texts(scene.screen({24, 80})).empty());  // all of it is new: nothing stands out

  auto& one = status.services[0].destinations[0];
  ++status.cycle;
  one.current = 88;
  one.target = 90;
  one.active = 8;
  one.age_s = 1.5;
  one.cpu_busy = 0.7501;  // the same on the screen
  one.outcome = "unchanged";
  scene.memory.take(status, 0);
  CHECK(bold_texts(scene.screen({24, 80})) ==
        std::vector<std::string>{"88↓", "90", "8", "unchanged"});
  ++status.cycle;
  scene.memory.take(status, 0);
  CHECK(bold_texts(scene.screen({24, 80})).empty());
}

TEST_CASE("top layout: who is chosen has a mark and not a colour alone") {
  Scene scene(top_memory(3));
  const auto lines = scene.screen({24, 80});
  std::size_t marked = 0;
  for (const auto& line : lines) {
    const auto text = lvs::monitorctl::text_of(line);
    if (!text.starts_with("> ")) continue;
    ++marked;
    CHECK(text.starts_with("> 10.0.0.11:80"));
    CHECK(width_of(line) == 80);
    CHECK(std::ranges::all_of(line, [](const TopSpan& span) { return span.style.reverse; }));
  }
  CHECK(marked == 1);
}

TEST_CASE("top layout: the head says how monitord stands") {
  const auto head = [](const Status& status, const std::string& failure = "") {
    TopMemory memory;
    memory.take(status, 0);
    if (!failure.empty()) memory.take_failure(failure);
    Scene scene(std::move(memory));
    const auto lines = scene.screen({24, 200});
    return lvs::monitorctl::text_of(lines[0]) + "\n" + lvs::monitorctl::text_of(lines[1]);
  };
  const auto holds = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  auto status = some_status();
  holds(head(status), "lvs1  dry run  1 service  2 destinations  1 silent  cycle 4711  0.5 s ago");
  holds(head(status), "\n! 1 agent is silent");
  holds(head(status, "nobody listens\non this socket"),
        "monitord does not answer, trying again  1 service");
  CHECK(head(status, "nobody listens\non this socket")
            .ends_with("\n! nobody listens on this socket"));
  status.notes.emplace_back("another");
  holds(head(status), "\n! 1 agent is silent  (and 1 more: monitorctl status)");
  status.dry_run = false;
  holds(head(status), "  active  ");
  status.notes.clear();
  status.orders = {"everything is paused"};
  holds(head(status), "\n* everything is paused");
  status.degraded = "no ip_vs";
  holds(head(status), "  degraded  ");
  holds(head(status), "\n! the table cannot be read: no ip_vs");
  status.degraded.clear();
  for (auto& one : status.services[0].destinations)
    one.outcome = "standby";
  holds(head(status), "  standby  ");
  status.services[0].destinations[0].outcome = "unmanaged";
  holds(head(status), "  standby  ");
  status.services[0].destinations[1].outcome = "paused";
  holds(head(status), "  paused  ");
  status.services.clear();
  holds(head(status), "  active  0 services");
  status.cycle = 0;
  holds(head(status), "  starting  ");
}

TEST_CASE("top layout: before the first answer it waits, and says for what") {
  TopMemory memory;
  Scene scene(std::move(memory));
  CHECK(text_of(scene.screen({8, 80})).find("waiting for monitord") != std::string::npos);
  scene.memory.take_failure("monitord is not reachable at /x: is it running?");
  const auto text = text_of(scene.screen({8, 80}));
  CHECK(text.find("\n! monitord is not reachable at /x: is it running?\n") != std::string::npos);
  CHECK(text.find("\n  monitord is not reachable at /x: is it running?\n") != std::string::npos);
}

TEST_CASE("top layout: a narrow head loses what matters least") {
  Scene scene(top_memory(3));
  const auto lines = scene.screen({24, 48});
  CHECK(lvs::monitorctl::text_of(lines[0]).starts_with("lvs1  active  "));
  CHECK(lvs::monitorctl::text_of(lines[0]).find("1 silent") != std::string::npos);
  CHECK(lvs::monitorctl::text_of(lines[0]).find("cycle") == std::string::npos);
}

TEST_CASE("top layout: the last line has the keys, the sort, the filter and the place") {
  Scene scene(top_memory(3));
  const auto last = [&] { return lvs::monitorctl::text_of(scene.screen({24, 80}).back()); };
  CHECK(last().starts_with("q quit  ? help  space hold  d detail  s sort: table  / filter"));
  CHECK(last().ends_with("  1/6"));
  scene.view.filter = "silent";
  CHECK(last().find("/ filter: silent") != std::string::npos);
  CHECK(last().ends_with("  1/1"));
  scene.view.filter_before = "";
  CHECK(last().starts_with("Filter: silent "));
  CHECK(last().find("Escape drops it") != std::string::npos);
  scene.view.filter = std::string(200, 'x') + "end";
  CHECK(last().ends_with("xxxend"));
  scene.view.filter_before.reset();
  scene.view.held = true;
  CHECK(last().find("HELD: space goes on") != std::string::npos);
  CHECK(last().ends_with("  none"));
  CHECK(text_of(scene.screen({24, 80})).find("nothing passes the filter") != std::string::npos);
}

TEST_CASE("top layout: what monitord no longer says is faint, but there") {
  Scene scene(top_memory(3));
  scene.memory.take_failure("gone");
  const auto lines = scene.screen({24, 80});
  CHECK(text_of(lines).find("silent_hold") != std::string::npos);
  for (const auto& line : lines) {
    for (const auto& span : line)
      if (span.text.starts_with("silent_hold")) CHECK(span.style.tone == Tone::quiet);
  }
}
