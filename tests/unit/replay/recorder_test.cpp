// The recorder's file and its queue: rotation, what is left of a crash, and disks that are full,
// slow or not there.

#include "monitord/recorder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "monitord/cycle_recorder.hpp"
#include "monitord/recording_reader.hpp"
#include "monitord/rotating_file.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using lvs::testing::ScratchFolder;

namespace {

const std::stop_token never{};

std::string append(RotatingFile& file, const std::string& line) {
  const auto done = file.append(line, never);
  return done ? "" : done.error();
}

bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}

/// The recorder's thread has taken up everything that was given to it.
Recorder::Status settled(const Recorder& recorder, std::uint64_t lines) {
  while (true) {
    const auto status = recorder.status();
    if (status.written + status.dropped >= lines) return status;
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("recorder file: what cannot be opened or written is said and tried again") {
  const ScratchFolder folder;
  RotatingFile nowhere({.file = folder.file("no/night")});
  CHECK(append(nowhere, "a\n").find("cannot open: No such file") == 0);
  std::filesystem::create_directory(folder.file("no"));
  CHECK(append(nowhere, "b\n").empty());
  CHECK(folder.read("no/night") == "b\n");

  RotatingFile full({.file = "/dev/full"});
  CHECK(append(full, "a\n") == "cannot write: No space left on device");
  CHECK(append(full, "a\n") == "cannot write: No space left on device");

  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  RotatingFile pipe({.file = folder.file("pipe")});
  CHECK(append(pipe, "a\n").find("cannot open: No such device") == 0);
}

TEST_CASE("recorder file: a line that does not fit leaves no part of it") {
  const ScratchFolder folder;
  const auto path = folder.file("night");
  RotatingFile file({.file = path});
  REQUIRE(append(file, "whole\n").empty());
  // A limit for this process stands for a full disk: the line fits half.
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit tight{10, before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
  const auto refused = append(file, "too long\n");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, old_handler);
  CHECK(refused == "cannot write: File too large");
  CHECK(folder.read("night") == "whole\n");
  CHECK(append(file, "next\n").empty());
  CHECK(folder.read("night") == "whole\nnext\n");
}

TEST_CASE("recorder file: it is renamed when full and so many are kept") {
  const ScratchFolder folder;
  RotatingFile file({.file = folder.file("night"), .max_size = 8, .files = 2});
  for (const auto* line : {"1a\n", "1b\n", "2a\n", "2b\n", "3a\n", "3b\n", "4a\n"}) {
    REQUIRE(append(file, line).empty());
  }
  CHECK(folder.read("night") == "4a\n");
  CHECK(folder.read("night.1") == "3a\n3b\n");
  CHECK(folder.read("night.2") == "2a\n2b\n");
  CHECK_FALSE(exists(folder.file("night.3")));
  // A line longer than a file has one of its own.
  REQUIRE(append(file, "far too long\n").empty());
  CHECK(folder.read("night") == "far too long\n");
}

TEST_CASE("recorder file: with no file beside it a full one begins anew") {
  const ScratchFolder folder;
  RotatingFile file({.file = folder.file("night"), .max_size = 4, .files = 0});
  REQUIRE(append(file, "1a\n").empty());
  REQUIRE(append(file, "1b\n").empty());
  CHECK(folder.read("night") == "1b\n");
  CHECK_FALSE(exists(folder.file("night.1")));
}

TEST_CASE("recorder file: it is appended to and only its owner and group read it") {
  const ScratchFolder folder;
  const auto before = ::umask(0);
  {
    RotatingFile file({.file = folder.file("night")});
    REQUIRE(append(file, "1\n").empty());
  }
  RotatingFile file({.file = folder.file("night")});
  REQUIRE(append(file, "2\n").empty());
  ::umask(before);
  CHECK(folder.read("night") == "1\n2\n");
  struct stat info {};
  REQUIRE(::stat(folder.file("night").c_str(), &info) == 0);
  CHECK((info.st_mode & 07777U) == 0640);
}

TEST_CASE("recorder file: what a crash cut off stays in the file before") {
  const ScratchFolder folder;
  folder.write("night", "whole\ncut o");
  RotatingFile file({.file = folder.file("night")});
  REQUIRE(append(file, "next\n").empty());
  CHECK(folder.read("night") == "next\n");
  CHECK(folder.read("night.1") == "whole\ncut o");
}

TEST_CASE("recorder file: two do not write into one") {
  const ScratchFolder folder;
  RotatingFile first({.file = folder.file("night")});
  REQUIRE(append(first, "1\n").empty());
  RotatingFile second({.file = folder.file("night")});
  CHECK(append(second, "2\n") == "is in use by another process");
  CHECK(folder.read("night") == "1\n");
}

TEST_CASE("recorder: everything that is queued is written at the end") {
  const ScratchFolder folder;
  std::string expected;
  {
    Recorder recorder({.file = folder.file("night")});
    for (int i = 0; i < 1000; ++i) {
      const auto line = std::to_string(i) + "\n";
      recorder.take(line);
      expected += line;
    }
  }
  CHECK(folder.read("night") == expected);
}

TEST_CASE("recorder: a full disk costs lines and nothing else") {
  const ScratchFolder folder;
  Recorder recorder({.file = "/dev/full"});
  recorder.take("a\n");
  auto status = settled(recorder, 1);
  CHECK(status == Recorder::Status{0, 1, "cannot write: No space left on device"});
  // Room again, at another place.
  recorder.reopen({.file = folder.file("night")});
  recorder.take("b\n");
  status = settled(recorder, 2);
  CHECK(status == Recorder::Status{1, 1, ""});
  CHECK(folder.read("night") == "b\n");
}

TEST_CASE("recorder: a slow disk costs what does not fit into the queue") {
  const ScratchFolder folder;
  const auto path = folder.file("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  REQUIRE(reader.valid());
  const std::string line(1023, 'x');
  constexpr std::uint64_t lines = 400;
  Recorder recorder({.file = path}, std::size_t{16} * 1024);
  for (std::uint64_t i = 0; i < lines; ++i)
    recorder.take(line + '\n');
  // The pipe holds 64 KiB and the queue 16; nobody reads.
  CHECK(recorder.status().dropped >= lines - 64 - 16);
  CHECK(recorder.status().problem == "the disk is too slow");
  const auto dropped = recorder.status().dropped;

  std::string got;
  std::array<char, 65536> block{};
  while (got.size() < (lines - dropped) * 1024) {
    const auto count = ::read(reader.get(), block.data(), block.size());
    if (count > 0) got.append(block.data(), static_cast<std::size_t>(count));
  }
  CHECK(settled(recorder, lines) == Recorder::Status{lines - dropped, dropped, ""});
  // Whole lines only.
  for (std::size_t i = 0; i < got.size(); i += 1024)
    REQUIRE(got.substr(i, 1024) == line + '\n');
}

TEST_CASE("recorder: a pipe that nobody reads does not hold its end") {
  const ScratchFolder folder;
  const auto path = folder.file("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  {
    Recorder recorder({.file = path});
    for (int i = 0; i < 300; ++i)
      recorder.take(std::string(1023, 'x') + '\n');
  }
  SUCCEED("the destructor came back");
}

TEST_CASE("recorder: a file that was renamed is opened anew on request") {
  const ScratchFolder folder;
  const RecordConfig config{.file = folder.file("night")};
  Recorder recorder(config);
  recorder.take("1\n");
  settled(recorder, 1);
  std::filesystem::rename(folder.file("night"), folder.file("moved"));
  recorder.take("2\n");
  settled(recorder, 2);
  recorder.reopen(config);
  recorder.take("3\n");
  settled(recorder, 3);
  CHECK(folder.read("moved") == "1\n2\n");
  CHECK(folder.read("night") == "3\n");
}

TEST_CASE("cycle recorder: without a file nothing is recorded and nothing said") {
  CycleRecorder recorder(RecordConfig{});
  recorder.record({}, {}, {}, 1.0);
  CHECK(recorder.notes().empty());
}

TEST_CASE("cycle recorder: cycles become lines that a reader takes") {
  const ScratchFolder folder;
  Director director;
  director.table = {service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}})};
  {
    CycleRecorder recorder({.file = folder.file("night")});
    director.report("10.0.0.11", 0.5, 0.25);
    recorder.record({director.now, director.table, director.readings, {}}, {}, {}, 1.5e9);
    recorder.record({director.now + 2s, director.table, director.readings, {}}, {}, {}, 1.5e9 + 2);
    CHECK(recorder.notes().empty());
  }
  CHECK(folder.read("night") ==
        R"({"t":1000.0,"wall_time":1500000000.000,"start":true,"services":[{"service":)"
        R"("tcp 10.9.9.9:80","scheduler":"wlc","destinations":[{"address":"10.0.0.11:80",)"
        R"("weight":10,"connections":0,"active":1}]}],"readings":{"10.0.0.11":{"cpu_busy":0.5,)"
        R"("mem_available":0.25}}})"
        "\n"
        R"({"t":1002.0,"wall_time":1500000002.000,"services":[{"service":)"
        R"("tcp 10.9.9.9:80","scheduler":"wlc","destinations":[{"address":"10.0.0.11:80",)"
        R"("weight":10,"connections":0,"active":1}]}],"readings":{}})"
        "\n");
}

TEST_CASE("cycle recorder: notes tell what fails and what was lost") {
  const ScratchFolder folder;
  CycleRecorder recorder({.file = "/dev/full"});
  recorder.record({}, {}, {}, 1.0);
  while (recorder.notes().empty())
    std::this_thread::yield();
  CHECK(recorder.notes() ==
        std::vector<std::string>{"recording to /dev/full fails (cannot write: No space left on "
                                 "device): 1 cycle lost so far"});
  recorder.configure({.file = folder.file("night")});
  recorder.record({}, {}, {}, 3.0);
  const auto works =
      "recording to " + folder.file("night") + " works, but 1 cycle was lost since the start";
  while (recorder.notes() != std::vector<std::string>{works})
    std::this_thread::yield();
  recorder.configure({});
  CHECK(recorder.notes().empty());
}
