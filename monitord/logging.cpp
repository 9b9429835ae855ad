#include "monitord/logging.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace lvs::monitord {
namespace {

/// sd-daemon(3), JOURNAL_STREAM: the device and inode of stderr when systemd connected it to the
/// journal. After a redirection they differ, and the reader is a person again.
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

/// syslog(3) priorities.
int priority(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return 7;
    case LogLevel::info:
      return 6;
    case LogLevel::warning:
      return 4;
    case LogLevel::error:
      return 3;
  }
  return 3;
}

struct Log {
  bool journal{stderr_is_journal()};
  std::shared_ptr<spdlog::logger> logger{};

  Log() {
    logger = std::make_shared<spdlog::logger>("monitord",
                                              std::make_shared<spdlog::sinks::stderr_sink_st>());
    logger->set_pattern(journal ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    logger->flush_on(spdlog::level::debug);
  }
};

Log& the_log() {
  static Log log;
  return log;
}

}  // namespace

void set_up_log(std::string_view level) {
  the_log().logger->set_level(spdlog::level::from_str(std::string(level)));
}

void log(const LogLine& line) {
  auto& log = the_log();
  const auto text = string_from_log_line(line);
  if (log.journal) {
    log.logger->log(spdlog_level(line.level), "<{}>{}", priority(line.level), text);
  } else {
    log.logger->log(spdlog_level(line.level), "{}", text);
  }
}

}  // namespace lvs::monitord
