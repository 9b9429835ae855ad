// Law 7, at every instruction: a process that keeps a journal is killed at each of its system
// calls in turn, and the next one has to find the bases that were, or those that were to be.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "monitord/state_journal.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/system_call_stops.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service_key;
using lvs::testing::killed_at_stop;
using lvs::testing::ScratchFolder;

namespace {

DestinationId web(int number) {
  return {service_key("tcp 10.9.9.9:80"),
          destination_key("10.0.0." + std::to_string(10 + number) + ":80")};
}

/// One call of the journal, and what it is to know afterwards.
struct Step {
  std::function<bool(StateJournal&)> call{};
  Remembered after{};
};

/// What is on the disk at first, and what is then done with it.
struct Script {
  std::string file{};
  Remembered before{};
  std::vector<Step> steps{};

  /// After so many of the steps.
  [[nodiscard]] const Remembered& known_after(std::size_t count) const {
    return count == 0 ? before : steps.at(count - 1).after;
  }

  void open() {
    steps.push_back({[](StateJournal& journal) { return journal.open().has_value(); },
                     known_after(steps.size())});
  }
  void record(const Remembered& now) {
    steps.push_back({[now](StateJournal& journal) {
                       journal.record({{}, now, {}, {}});
                       return journal.problem().empty();
                     },
                     now});
  }
  void intend(const std::vector<Intent>& intents) {
    auto after = known_after(steps.size());
    for (const auto& intent : intents)
      after.at(intent.id).intended = intent.to;
    steps.push_back({[intents](StateJournal& journal) {
                       journal.intend(intents);
                       return journal.problem().empty();
                     },
                     after});
  }
};

/// A life of monitord: it starts on what a killed one left, learns of servers, writes weights,
/// reads back, loses a server, gets one, and starts to write again.
Script life() {
  Script script;
  script.before = {{web(1), {10, false, 9, 7}}, {web(2), {5, true, 5, {}}}};
  script.file =
      journal_text({{}, script.before, {}, {}}) + R"({"service":"tcp 10.9)";  // cut off by a kill
  script.open();
  script.record(
      {{web(1), {10, false, 7, {}}}, {web(2), {5, true, 5, {}}}, {web(3), {20, false, 20, {}}}});
  script.intend({{web(1), 8}, {web(2), 4}, {web(3), 15}});
  script.record(
      {{web(1), {10, false, 8, {}}}, {web(2), {5, true, 4, {}}}, {web(3), {20, false, 15, {}}}});
  script.record(
      {{web(1), {30, false, 30, {}}}, {web(3), {20, false, 0, {}}}, {web(4), {0, false, 0, {}}}});
  script.intend({{web(1), 25}});
  return script;
}

/// So many destinations that their lines make the journal write itself anew.
Script growth() {
  Remembered many;
  for (int i = 0; i < 6500; ++i) {
    const DestinationId id{
        service_key("tcp [2001:db8:1234:5678:9abc:def0:1234:5678]:44444"),
        destination_key("[2001:db8:1234:5678:9abc:def0:1234:5679]:" + std::to_string(10000 + i))};
    many.emplace(id, RememberedDestination{2147483647, true, 2147483646, 2147483645});
  }
  Script script;
  script.before = {{web(1), {10, false, 9, {}}}};
  script.file = journal_text({{}, script.before, {}, {}});
  script.open();
  many.emplace(web(1), RememberedDestination{10, false, 9, {}});
  script.record(many);
  many.at(web(1)).weight = 8;
  script.record(many);
  return script;
}

/// How far the child came: lives in memory that both see.
class Progress {
 public:
  Progress() {
    memory_ =
        ::mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    count_ = new (memory_) Count{0};
  }
  ~Progress() { ::munmap(memory_, sizeof(Count)); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add_one() { ++*count_; }
  [[nodiscard]] std::size_t steps_done() const { return *count_; }

 private:
  using Count = std::atomic<std::size_t>;
  void* memory_{};
  Count* count_{};
};

bool carry_out(const Script& script, const std::string& path, Progress& progress) {
  StateJournal journal(path);
  for (const auto& step : script.steps) {
    if (!step.call(journal)) return false;
    progress.add_one();
  }
  return true;
}

std::set<std::string> files_in(const ScratchFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.insert(entry.path().filename().string());
  return names;
}

/// The next process knows what the dead one knew before the call that it died in, or after it.
void check_next_start(const ScratchFolder& folder, const Remembered& before,
                      const Remembered& after) {
  StateJournal journal(folder.file("state"));
  const auto found = journal.open();
  REQUIRE(found.has_value());
  CHECK(journal.messages().empty());
  CHECK(journal.problem().empty());
  const bool known = found->destinations == before || found->destinations == after;
  CHECK(known);
  CHECK(StateJournal::peek(folder.file("state")) == *found);
  CHECK(files_in(folder) == std::set<std::string>{"state"});
}

/// Each destination as it was or as it is to be: a batch of lines may be cut between two of them.
bool is_between(const Remembered& found, const Remembered& before, const Remembered& after) {
  const auto same_as_in = [&](const Remembered& all, const DestinationId& id) {
    const auto here = found.find(id);
    const auto there = all.find(id);
    if (here == found.end() || there == all.end()) return here == found.end() && there == all.end();
    return here->second == there->second;
  };
  std::set<DestinationId> ids;
  for (const auto* all : {&found, &before, &after}) {
    for (const auto& [id, known] : *all)
      ids.insert(id);
  }
  return std::ranges::all_of(
      ids, [&](const auto& id) { return same_as_in(before, id) || same_as_in(after, id); });
}

/// The write that led from `shorter` to `longer`, cut after every byte.
std::size_t check_cut_writes(const std::string& shorter, const std::string& longer,
                             const Remembered& before, const Remembered& after) {
  if (longer.size() <= shorter.size() || !longer.starts_with(shorter)) return 0;
  for (auto size = shorter.size() + 1; size < longer.size(); ++size) {
    CAPTURE(size, longer.size());
    const auto content = journal_from_text(longer.substr(0, size));
    REQUIRE(content.fault == JournalContent::Fault::none);
    REQUIRE(is_between(content.memory.destinations, before, after));
  }
  return longer.size() - shorter.size() - 1;
}

struct Figures {
  std::size_t kills{}, cut_writes{};
};

Figures killed_everywhere(const Script& script, bool cut_writes) {
  Figures figures;
  std::string text_before = script.file;
  while (true) {
    const ScratchFolder folder;
    folder.write("state", script.file);
    Progress progress;
    const bool killed = killed_at_stop(
        figures.kills, [&] { return carry_out(script, folder.file("state"), progress); });
    if (!killed) return figures;
    const auto done = progress.steps_done();
    CAPTURE(figures.kills, done);
    const auto& before = script.known_after(done);
    const auto& after = script.known_after(std::min(done + 1, script.steps.size()));
    auto text = folder.read("state");
    if (cut_writes) figures.cut_writes += check_cut_writes(text_before, text, before, after);
    text_before = std::move(text);
    check_next_start(folder, before, after);
    ++figures.kills;
  }
}

}  // namespace

TEST_CASE("journal file: a kill at any system call leaves what was known or is to be known") {
  const auto figures = killed_everywhere(life(), true);
  std::cout << "journal: " << figures.kills << " kills at system calls and " << figures.cut_writes
            << " cut writes survived\n";
  CHECK(figures.kills > 30);        // two for each call: it opens, reads, writes, renames, flushes
  CHECK(figures.cut_writes > 500);  // bytes of the lines that are appended
}

TEST_CASE("journal file: a kill at any system call while it is written anew loses nothing") {
  const auto figures = killed_everywhere(growth(), false);
  std::cout << "journal that grows: " << figures.kills << " kills at system calls survived\n";
  CHECK(figures.kills > 30);
}
