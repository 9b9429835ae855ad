#include "realserver-agent/log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>

namespace lvs::agent {
namespace {

/// sd_journal_send(3) says nothing where no journal listens; JOURNAL_STREAM names stderr's device
/// and inode where it is the journal's (systemd.exec(5)).
bool is_stderr_the_journal() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the environment is not changed
  const char* const stream = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  return stream != nullptr && ::fstat(STDERR_FILENO, &status) == 0 &&
         fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

}  // namespace

std::shared_ptr<spdlog::logger> make_logger() {
  const std::string name = "realserver-agent";
  std::shared_ptr<spdlog::logger> logger;
  if (is_stderr_the_journal()) {
    logger = std::make_shared<spdlog::logger>(
        name, std::make_shared<spdlog::sinks::systemd_sink_st>(name));
    logger->set_pattern("%v");
  } else {
    logger =
        std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_st>());
    logger->set_pattern("%Y-%m-%dT%H:%M:%S%z %l %v");
  }
  logger->flush_on(spdlog::level::info);
  return logger;
}

}  // namespace lvs::agent
