#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <istream>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "monitorctl/commands.hpp"
#include "monitorctl/config_input.hpp"
#include "monitorctl/file_input.hpp"
#include "monitorctl/progress.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/recording_reader.hpp"
#include "monitord/replay.hpp"
#include "monitord/replay_summary.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::size_t piece_bytes = 1 << 16;

Printed cannot_read(const std::string& path, int error) {
  return failed_with(exit_status::failure, fmt::format("{}: {}", path, std::strerror(error)));
}

/// The configuration, or what to print instead.
tl::expected<monitord::CheckedConfig, Printed> config_from_file(const std::string& path) {
  auto files = config_files_from_argument(path);
  if (!files) return tl::make_unexpected(files.error());
  auto config = monitord::config_from_files(*std::move(files));
  if (config) return *std::move(config);
  return tl::make_unexpected(
      Printed{"", strictyaml::string_from_problems(config.error()), exit_status::bad_file});
}

class Run {
 public:
  Run(const ReplayOptions& options, monitord::Config config, const TextSink& out)
      : options_(options),
        interval_(config.interval),
        replay_(std::move(config)),
        out_(out),
        progress_(bytes_in_files(options.files), "MB", !options.no_progress) {}

  /// False when the replay cannot go on; printed() says why.
  bool file(const std::string& path) {
    if (path == "-") return lines(std::cin, "stdin");
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open()) return stopped(cannot_read(path, errno));
    return lines(file, path);
  }
  bool finish() {
    if (options_.output != OutputFormat::json) piece_ += summary_.text(interval_);
    return flush();
  }
  /// Warnings, and what stopped it.
  [[nodiscard]] Printed printed() const { return printed_; }
  void warn(const std::string& text) { printed_.err += text; }

 private:
  bool lines(std::istream& file, const std::string& name) {
    reader_.begin_file(name);
    std::string text;
    while (std::getline(file, text)) {
      if (!line(text, !file.eof())) return false;
    }
    return !file.bad() || stopped(cannot_read(name, errno));
  }

  bool line(std::string_view text, bool ended) {
    bytes_ += text.size() + (ended ? 1 : 0);
    progress_.reached(bytes_);
    const auto cycle = reader_.cycle(text, ended);
    printed_.err += reader_.take_warnings();
    if (!cycle) {
      flush();
      return stopped({"", cycle.error(), exit_status::bad_file});
    }
    if (!*cycle) return true;
    const auto replayed = replay_.step(**cycle);
    if (options_.output == OutputFormat::json) {
      piece_ += monitord::json_line_from_replayed(replayed);
    } else {
      summary_.add(**cycle, replayed);
      if (options_.changes) piece_ += monitord::changes_from_replayed(**cycle, replayed);
    }
    return piece_.size() < piece_bytes || flush();
  }

  bool flush() {
    progress_.make_room();
    const bool written = out_(piece_);
    piece_.clear();
    return written || stopped({"", "", exit_status::failure});
  }

  bool stopped(const Printed& why) {
    printed_.err += why.err;
    printed_.status = why.status;
    return false;
  }

  const ReplayOptions& options_;
  monitord::Moment interval_;
  monitord::RecordingReader reader_{};
  monitord::Replay replay_;
  monitord::ReplaySummary summary_{};
  const TextSink& out_;
  std::string piece_{};
  Printed printed_{};
  std::uint64_t bytes_{};
  Progress progress_;
};

}  // namespace

Printed run(const ReplayOptions& options, const TextSink& out) {
  auto config = config_from_file(options.config_file);
  if (!config) return config.error();
  Run run(options, std::move(config->config), out);
  if (!config->warnings.empty()) run.warn(strictyaml::string_from_problems(config->warnings));
  for (const auto& path : options.files) {
    if (!run.file(path)) return run.printed();
  }
  run.finish();
  return run.printed();
}

}  // namespace lvs::monitorctl
