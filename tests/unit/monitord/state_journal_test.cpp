#include "monitord/state_journal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "support/catch.hpp"
#include "support/disk_full.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service_key;
using lvs::testing::DiskFull;
using lvs::testing::ScratchFolder;

namespace {

const DestinationId web1{service_key("tcp 10.9.9.9:80"), destination_key("10.0.0.11:80")};
const DestinationId web2{service_key("tcp 10.9.9.9:80"), destination_key("10.0.0.12:80")};

Memory memory_of(const Remembered& destinations) {
  return {{}, destinations, {}, {}};
}

}  // namespace

TEST_CASE("journal file: what cannot be understood is set aside under a name") {
  auto const [text, suffix] = GENERATE(table<std::string, std::string>({
      {"garbage\n", ".corrupt-1"},
      {"{\"monitord_journal\":1}\ngarbage\n", ".corrupt-1"},
      {"{\"monitord_journal\":3}\n", ".newer-1"},
  }));
  ScratchFolder const folder;
  folder.write("state", text);
  StateJournal journal(folder.file("state"));
  CHECK(journal.open().value().destinations.empty());
  CHECK(journal.problem().empty());
  REQUIRE(journal.messages().size() == 1);
  CHECK(journal.messages()[0].find(folder.file("state" + suffix)) != std::string::npos);
  CHECK(folder.read("state" + suffix) == text);
  CHECK(folder.read("state") == journal_header());
}

TEST_CASE("journal file: an older file that was set aside is not overwritten") {
  ScratchFolder const folder;
  folder.write("state.corrupt-1", "first");
  folder.write("state", "second\n");
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  CHECK(folder.read("state.corrupt-1") == "first");
  CHECK(folder.read("state.corrupt-2") == "second\n");
}

TEST_CASE("journal file: a second process is refused") {
  ScratchFolder const folder;
  StateJournal first(folder.file("state"));
  REQUIRE(first.open().has_value());
  StateJournal second(folder.file("state"));
  auto const refused = second.open();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("in use") != std::string::npos);
}

TEST_CASE("journal file: a killed process leaves bases and its last intent") {
  ScratchFolder const folder;
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    StateJournal journal(folder.file("state"));
    if (!journal.open()) ::_exit(1);
    journal.record(memory_of({{web1, {10, false, 9, {}, {}}}, {web2, {5, true, 5, {}, {}}}}));
    journal.intend({{web1, 7, {}}});
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));

  StateJournal journal(folder.file("state"));
  auto const remembered = journal.open().value().destinations;
  CHECK(remembered.at(web1) == RememberedDestination{10, false, 9, 7, {}});
  CHECK(remembered.at(web2) == RememberedDestination{5, true, 5, {}, {}});
  CHECK(StateJournal::peek(folder.file("state")).destinations == remembered);
}

TEST_CASE("journal file: intents of one batch are one record that fits as a whole or not at all") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  journal.record(memory_of({{web1, {10, false, 9, {}, {}}}, {web2, {5, true, 5, {}, {}}}}));
  auto const text = folder.read("state");
  {
    DiskFull const full(text.size() + journal_line_intent({web1, 7, {}}).size());
    CHECK_FALSE(journal.intend({{web1, 7, {}}, {web2, 4, {}}}));
    CHECK(folder.read("state") == text);
  }
  CHECK(journal.intend({{web1, 7, {}}, {web2, 4, {}}}));
  CHECK(folder.read("state") ==
        text + journal_line_intent({web1, 7, {}}) + journal_line_intent({web2, 4, {}}));
}

TEST_CASE("journal file: a line that was cut off is not glued to the next one") {
  ScratchFolder const folder;
  auto const whole = journal_text(memory_of({{web1, {10, false, 9, {}, {}}}}));
  folder.write("state", whole + journal_line_intent({web1, 7, {}}).substr(0, 20));
  // Even when the rewrite at the start fails, the file takes lines where the whole ones end.
  std::filesystem::create_directory(folder.file("state.new"));
  StateJournal journal(folder.file("state"));
  CHECK(journal.open().value().destinations.size() == 1);
  CHECK_FALSE(journal.problem().empty());
  journal.intend({{web1, 8, {}}});
  CHECK(folder.read("state") == whole + journal_line_intent({web1, 8, {}}));
}

TEST_CASE("journal file: an unchanged memory writes nothing") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  auto const memory = memory_of({{web1, {10, false, 9, {}, {}}}});
  journal.record(memory);
  auto const text = folder.read("state");
  CHECK(text == journal_text(memory));
  journal.record(memory);
  CHECK(folder.read("state") == text);
  journal.record({});
  CHECK(folder.read("state") == text + journal_line_forget(web1));
}

TEST_CASE("journal file: an intent without a recorded base is not written") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  CHECK_FALSE(journal.intend({{web1, 7, {}}}));
  CHECK(folder.read("state") == journal_header());
  journal.record(memory_of({{web1, {10, false, 9, {}, {}}}}));
  CHECK_FALSE(journal.intend({{web1, 0, ZeroCause::hand}, {web2, 0, ZeroCause::hand}}));
  auto const known = StateJournal::peek(folder.file("state")).destinations;
  CHECK(known.at(web1).own_zero == ZeroCause::hand);
  CHECK_FALSE(known.contains(web2));
}

TEST_CASE("journal file: a full disk is reported and healed and never breaks a line") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  journal.record(memory_of({{web1, {10, false, 9, {}, {}}}}));
  auto const text = folder.read("state");
  {
    DiskFull const full(text.size() + 10);
    CHECK_FALSE(journal.intend({{web1, 8, {}}}));
    CHECK(journal.problem().find(folder.file("state")) != std::string::npos);
    CHECK(folder.read("state") == text);
    journal.record(memory_of({{web1, {10, false, 8, {}, {}}}}));
    CHECK(folder.read("state") == text);
    CHECK_FALSE(journal.problem().empty());
  }
  journal.record(memory_of({{web1, {10, false, 8, {}, {}}}}));
  CHECK(journal.problem().empty());
  CHECK(journal_from_text(folder.read("state")).memory.destinations.at(web1).weight == 8);
}

TEST_CASE("journal file: a missing folder is a problem until it is there") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("not/state"));
  CHECK(journal.open().value().destinations.empty());
  CHECK_FALSE(journal.problem().empty());
  std::filesystem::create_directory(folder.file("not"));
  journal.record(memory_of({{web1, {10, false, 9, {}, {}}}}));
  CHECK(journal.problem().empty());
  CHECK(folder.read("not/state") == journal_text(memory_of({{web1, {10, false, 9, {}, {}}}})));
}

TEST_CASE("journal file: what is no file is left alone and nobody waits for it") {
  ScratchFolder const folder;
  REQUIRE(::mkfifo(folder.file("state").c_str(), 0600) == 0);
  auto const keeper = ::open(folder.file("state").c_str(), O_RDWR | O_CLOEXEC);
  StateJournal journal(folder.file("state"));
  CHECK(journal.open().value().destinations.empty());
  CHECK(journal.problem().ends_with("; nothing is remembered in this run"));
  CHECK_FALSE(journal.intend({{web1, 0, ZeroCause::hand}}));
  ::close(keeper);
  CHECK(StateJournal::peek(folder.file("state")).destinations.empty());
  CHECK(std::filesystem::is_fifo(folder.file("state")));
}

TEST_CASE("journal file: it is rewritten when it has grown") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  std::uint32_t weight = 1;
  for (std::size_t bytes = 0; bytes < (1 << 20) + 4096; weight = weight % 100 + 1) {
    auto const memory = memory_of({{web1, {10, false, weight, {}, {}}}});
    bytes += journal_line_known(web1, memory.destinations.at(web1)).size();
    journal.record(memory);
  }
  CHECK(std::filesystem::file_size(folder.file("state")) < (1 << 20));
  CHECK(StateJournal::peek(folder.file("state")).destinations.at(web1).base == 10);
  CHECK(journal.problem().empty());
}

TEST_CASE("journal file: while it is rewritten in the background it takes lines all the same") {
  ScratchFolder const folder;
  std::vector<std::function<void()>> queued;
  StateJournal journal(folder.file("state"), "boot",
                       [&](std::function<void()> work) { queued.push_back(std::move(work)); });
  REQUIRE(journal.open().has_value());
  auto const run_queue = [&] {
    for (auto const& work : std::exchange(queued, {}))
      work();
  };
  auto memory = memory_of({{web1, {10, false, 1, {}, {}}}});
  auto const record = [&] {
    auto& weight = memory.destinations.at(web1).weight;
    weight = weight % 100 + 1;
    journal.record(memory);
  };
  while (std::filesystem::file_size(folder.file("state")) <= (1 << 20))
    record();
  // The rewriting waits in the queue; lines and intents go to the old file meanwhile.
  auto const grown = std::filesystem::file_size(folder.file("state"));
  record();
  journal.intend({{web1, 77, {}}});
  CHECK(std::filesystem::file_size(folder.file("state")) > grown);
  auto const before = StateJournal::peek(folder.file("state"), "boot").destinations;
  run_queue();
  record();
  run_queue();
  CHECK(std::filesystem::file_size(folder.file("state")) < 4096);
  auto const after = StateJournal::peek(folder.file("state"), "boot").destinations;
  CHECK(before.at(web1).intended == 77U);
  CHECK(after == memory.destinations);
  CHECK(journal.problem().empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("state.new")));
}

TEST_CASE("journal file: a rewriting that fails leaves the old file in use") {
  ScratchFolder const folder;
  StateJournal journal(folder.file("state"));
  REQUIRE(journal.open().has_value());
  std::filesystem::create_directory(folder.file("state.new"));
  auto memory = memory_of({{web1, {10, false, 1, {}, {}}}});
  while (std::filesystem::file_size(folder.file("state")) <= (1 << 20)) {
    memory.destinations.at(web1).weight ^= 1U;
    journal.record(memory);
  }
  CHECK_FALSE(journal.problem().empty());
  memory.destinations.at(web1).weight = 50;
  journal.record(memory);
  CHECK(StateJournal::peek(folder.file("state")).destinations == memory.destinations);
}

TEST_CASE("journal file: after a reboot the table's part is forgotten and the orders stand") {
  ScratchFolder const folder;
  auto memory = memory_of({{web1, {10, false, 0, {}, ZeroCause::agent}}});
  memory.orders.everything = Pause::paused;
  {
    StateJournal journal(folder.file("state"), "first boot");
    REQUIRE(journal.open().has_value());
    journal.record(memory);
  }
  StateJournal same(folder.file("state"), "first boot");
  CHECK(same.open().value().destinations == memory.destinations);
  same = StateJournal(folder.file("other"));
  StateJournal later(folder.file("state"), "second boot");
  auto const kept = later.open().value();
  CHECK(kept.destinations.empty());
  CHECK(kept.orders == memory.orders);
}

TEST_CASE("journal file: after a reboot nothing is written under the head of the boot before") {
  ScratchFolder const folder;
  auto const memory = memory_of({{web1, {10, false, 0, {}, ZeroCause::hand}}});
  {
    StateJournal journal(folder.file("state"), "first boot");
    REQUIRE(journal.open().has_value());
    journal.record(memory);
  }
  std::filesystem::create_directory(folder.file("state.new"));
  StateJournal journal(folder.file("state"), "second boot");
  REQUIRE(journal.open().value().destinations.empty());
  CHECK_FALSE(journal.problem().empty());
  CHECK_FALSE(journal.intend({{web1, 0, ZeroCause::hand}}));
  journal.record(memory);
  CHECK_FALSE(journal.problem().empty());

  std::filesystem::remove(folder.file("state.new"));
  journal.record(memory);
  CHECK(journal.problem().empty());
  CHECK(StateJournal::peek(folder.file("state"), "second boot").destinations ==
        memory.destinations);
}

TEST_CASE("background: work is done in order, and what is queued before the end") {
  std::vector<int> done;
  {
    BackgroundWorker worker;
    for (int i = 0; i < 100; ++i)
      worker.run([&done, i] { done.push_back(i); });
  }
  REQUIRE(done.size() == 100);
  CHECK(std::ranges::is_sorted(done));
}
