#include "monitord/logging.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// Without it sd_journal_sendv() would tell of the line in this file that calls it.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitord/cycle_clock.hpp"
#include "monitord/log_format.hpp"

namespace lvs::monitord {
namespace {

/// sd-daemon(3), JOURNAL_STREAM: the device and inode of stderr when systemd connected it to the
/// journal. After a redirection they differ, and the reader is a person again. Without a journal
/// sd_journal_sendv() would lose the line and say nothing.
bool stderr_is_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat info {};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &info) != 0) return false;
  return fmt::format("{}:{}", info.st_dev, info.st_ino) == stream;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

struct Log {
  bool journal{};
  bool json{};
  std::function<void(const LogLine&)> sink{};
  std::shared_ptr<spdlog::logger> logger{std::make_shared<spdlog::logger>(
      "monitord", std::make_shared<spdlog::sinks::stderr_sink_st>())};

  Log() {
    set_format(false);
    logger->flush_on(spdlog::level::debug);
  }

  void set_format(bool as_json) {
    json = as_json;
    journal = stderr_is_journal();
    logger->set_pattern(json || journal ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  }
};

Log& the_log() {
  static Log log;
  return log;
}

/// False when the journal did not take it.
bool send_to_journal(const LogLine& line, const std::string& message) {
  auto fields = journal_fields_from_log_line(line, message);
  std::vector<iovec> parts;
  parts.reserve(fields.size());
  for (auto& field : fields)
    parts.push_back({field.data(), field.size()});
  return ::sd_journal_sendv(parts.data(), static_cast<int>(parts.size())) >= 0;
}

}  // namespace

void set_up_log(std::string_view level, std::string_view format) {
  auto& log = the_log();
  log.logger->set_level(spdlog::level::from_str(std::string(level)));
  log.set_format(format == "json");
}

void set_log_sink(std::function<void(const LogLine&)> sink) {
  the_log().sink = std::move(sink);
}

void log(const LogLine& line) {
  auto& log = the_log();
  const auto level = spdlog_level(line.level);
  if (!log.logger->should_log(level)) return;
  if (log.sink) return log.sink(line);
  const auto text = log.json ? json_from_log_line(line, time_for_json(wall_time_now()))
                             : string_from_log_line(line);
  if (!log.journal) {
    log.logger->log(level, "{}", text);
  } else if (!send_to_journal(line, text)) {
    // The journal's own way of telling a priority on a stream (sd-daemon(3)).
    log.logger->log(level, "<{}>{}", priority_of(line.level), text);
  }
}

}  // namespace lvs::monitord
