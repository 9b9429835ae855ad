// Log lines for programs: JSON and fields of the journal.

#include "monitord/log_format.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "monitord/logging.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;

namespace {

/// What the journal was given, and what it answers.
struct Journal {
  std::vector<std::vector<std::string>> entries{};
  int answer{};
};
Journal the_journal;

}  // namespace

// The program's own symbol comes before that of libsystemd.
extern "C" int sd_journal_sendv(const iovec* parts, int count) {
  auto& entry = the_journal.entries.emplace_back();
  for (int i = 0; i < count; ++i)
    entry.emplace_back(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  return the_journal.answer;
}

namespace {

/// stderr is a file, of which JOURNAL_STREAM says that it is the journal's.
class JournalStream {
 public:
  explicit JournalStream(const std::string& file) : before_(::dup(STDERR_FILENO)) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    REQUIRE(fd >= 0);
    REQUIRE(::dup2(fd, STDERR_FILENO) == STDERR_FILENO);
    ::close(fd);
    struct stat info {};
    REQUIRE(::fstat(STDERR_FILENO, &info) == 0);
    ::setenv("JOURNAL_STREAM", fmt::format("{}:{}", info.st_dev, info.st_ino).c_str(), 1);
    the_journal = {};
  }
  ~JournalStream() {
    ::unsetenv("JOURNAL_STREAM");
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    set_up_log("off");
  }
  JournalStream(const JournalStream&) = delete;
  JournalStream& operator=(const JournalStream&) = delete;

 private:
  int before_;
};

const LogLine weight{LogLevel::info,
                     "weight",
                     {{"service", "tcp 10.9.9.9:80"},
                      {"destination", "10.0.0.11:80"},
                      {"old", "10"},
                      {"C", "0.750"},
                      {"verdict", "change"}}};

/// Nobody reads the log of another test.
struct Sink {
  std::vector<LogLine> lines{};
  Sink() {
    set_log_sink([this](const LogLine& line) { lines.push_back(line); });
  }
  ~Sink() {
    set_log_sink({});
    set_up_log("off");
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
};

}  // namespace

TEST_CASE("log format: JSON is one object of strings in the order of the line") {
  CHECK(json_from_log_line(weight, "2026-05-01T12:00:00.123Z") ==
        R"({"time":"2026-05-01T12:00:00.123Z","level":"info","event":"weight",)"
        R"("service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","old":"10","C":"0.750",)"
        R"("verdict":"change"})");
}

TEST_CASE("log format: whatever a value holds JSON stays one line and valid") {
  const std::string value = GENERATE(as<std::string>{}, "a\nb", "say \"hi\"", "back\\slash",
                                     "\x1b[31m", "\x7f", "\xff\xc3", "gr\xc3\xbc\xc3\x9f", "");
  const auto text = json_from_log_line({LogLevel::error, "note", {{"text", value}}}, "t");
  for (const char c : text)
    CHECK((static_cast<unsigned char>(c) >= 0x20 && c != '\x7f'));
  const auto read = boost::json::parse(text);
  CHECK(read.at("level").as_string() == "error");
  if (value != "\xff\xc3") {
    CHECK(std::string(read.at("text").as_string()) == value);
  } else {
    CHECK(read.at("text").as_string() == "??");
  }
}

TEST_CASE("log format: the time is UTC with milliseconds") {
  CHECK(time_for_json(0) == "1970-01-01T00:00:00.000Z");
  CHECK(time_for_json(1777636800.0625) == "2026-05-01T12:00:00.062Z");
}

TEST_CASE("log format: the journal gets a field for everything that the line knows") {
  CHECK(journal_fields_from_log_line(weight, "the text") ==
        std::vector<std::string>{"MESSAGE=the text", "PRIORITY=6", "SYSLOG_IDENTIFIER=monitord",
                                 "MONITORD_EVENT=weight", "MONITORD_SERVICE=tcp 10.9.9.9:80",
                                 "MONITORD_DESTINATION=10.0.0.11:80", "MONITORD_OLD=10",
                                 "MONITORD_C=0.750", "MONITORD_VERDICT=change"});
  const auto [level, priority] =
      GENERATE(table<LogLevel, std::string>({{LogLevel::debug, "PRIORITY=7"},
                                             {LogLevel::info, "PRIORITY=6"},
                                             {LogLevel::warning, "PRIORITY=4"},
                                             {LogLevel::error, "PRIORITY=3"}}));
  const auto fields = journal_fields_from_log_line({level, "e", {{"left-out", "1"}}}, "m");
  CHECK(fields.at(1) == priority);
  CHECK(fields.back() == "MONITORD_LEFT_OUT=1");
}

TEST_CASE("logging: lines below the level are dropped") {
  Sink sink;
  const auto [level, passed] = GENERATE(table<std::string, std::size_t>(
      {{"debug", 4}, {"info", 3}, {"warning", 2}, {"error", 1}, {"off", 0}}));
  set_up_log(level);
  for (const auto one : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error})
    log({one, "event", {}});
  CHECK(sink.lines.size() == passed);
}

TEST_CASE("logging: where stderr is the journal it gets the fields and stderr nothing") {
  const lvs::testing::ScratchFolder folder;
  const JournalStream stream(folder.file("stderr"));
  set_up_log("info");
  log(weight);
  log({LogLevel::debug, "dropped", {}});
  REQUIRE(the_journal.entries.size() == 1);
  CHECK(the_journal.entries[0] ==
        journal_fields_from_log_line(weight, string_from_log_line(weight)));
  CHECK(folder.read("stderr").empty());

  set_up_log("info", "json");
  log(weight);
  CHECK(the_journal.entries.back().front().starts_with("MESSAGE={\"time\":"));
  CHECK(the_journal.entries.back().back() == "MONITORD_VERDICT=change");
}

TEST_CASE("logging: what the journal does not take goes to stderr with its priority") {
  const lvs::testing::ScratchFolder folder;
  const JournalStream stream(folder.file("stderr"));
  the_journal.answer = -ENOBUFS;
  set_up_log("info");
  log({LogLevel::warning, "note", {{"text", "two words"}}});
  CHECK(folder.read("stderr") == "<4>note text=\"two words\"\n");
}

TEST_CASE("logging: after a redirection a person reads it again") {
  const lvs::testing::ScratchFolder folder;
  const JournalStream stream(folder.file("stderr"));
  ::setenv("JOURNAL_STREAM", "8:12345", 1);
  set_up_log("info");
  log({LogLevel::error, "note", {}});
  CHECK(the_journal.entries.empty());
  CHECK(folder.read("stderr").ends_with(" error note\n"));
  set_up_log("info", "json");
  log({LogLevel::error, "note", {}});
  CHECK(folder.read("stderr").ends_with("Z\",\"level\":\"error\",\"event\":\"note\"}\n"));
}
