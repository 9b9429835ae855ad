#include "realserver-agent/log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/formatter.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>

#include "realserver-agent/log_json.hpp"

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

/// "2026-05-01T12:00:00.123Z".
std::string time_text(spdlog::log_clock::time_point time) {
  const auto since = time.time_since_epoch();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(since).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(spdlog::log_clock::to_time_t(time)),
                     milliseconds);
}

class JsonFormatter final : public spdlog::formatter {
 public:
  explicit JsonFormatter(std::string line_end) : line_end_{std::move(line_end)} {}

  void format(const spdlog::details::log_msg& line, spdlog::memory_buf_t& out) override {
    const auto level = spdlog::level::to_string_view(line.level);
    const auto text = json_from_log(time_text(line.time), {level.data(), level.size()},
                                    {line.payload.data(), line.payload.size()}) +
                      line_end_;
    out.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>(line_end_);
  }

 private:
  std::string line_end_;
};

}  // namespace

std::shared_ptr<spdlog::logger> make_logger() {
  const std::string name = "realserver-agent";
  std::shared_ptr<spdlog::logger> logger;
  if (is_stderr_the_journal()) {
    constexpr bool formats = true;
    logger = std::make_shared<spdlog::logger>(
        name, std::make_shared<spdlog::sinks::systemd_sink_st>(name, formats));
  } else {
    logger =
        std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_st>());
  }
  set_up_log(*logger, "info", "text");
  logger->flush_on(spdlog::level::debug);
  return logger;
}

void set_up_log(spdlog::logger& log, const std::string& level, const std::string& format) {
  const bool journal = is_stderr_the_journal();
  // What the journal takes has no line end.
  const std::string line_end = journal ? "" : "\n";
  log.set_level(spdlog::level::from_str(level));
  if (format == "json") {
    log.set_formatter(std::make_unique<JsonFormatter>(line_end));
  } else {
    log.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        journal ? "%v" : "%Y-%m-%dT%H:%M:%S%z %l %v", spdlog::pattern_time_type::local, line_end));
  }
}

}  // namespace lvs::agent
