#include "monitord/recording_reader.hpp"

#include <fmt/format.h>

#include <utility>

namespace lvs::monitord {
namespace {

/// "services[3].destinations[0].colour" -> "services[].destinations[].colour".
std::string without_indices(const std::string& place) {
  std::string kept;
  bool inside = false;
  for (const char c : place) {
    if (c == ']') inside = false;
    if (!inside) kept += c;
    if (c == '[') inside = true;
  }
  return kept;
}

}  // namespace

void RecordingReader::begin_file(std::string name) {
  file_ = std::move(name);
  line_ = 0;
}

tl::expected<std::optional<RecordedCycle>, std::string> RecordingReader::cycle(
    std::string_view line, bool ended) {
  ++line_;
  if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
  auto decoded = cycle_from_line(line);
  if (!decoded) {
    const auto& problem = decoded.error();
    if (ended || !problem.syntax) {
      return tl::make_unexpected(message(problem.column, "error", problem.message, problem.hint));
    }
    warnings_ += message(problem.column, "warning", "the last line is cut off: it is left out", "");
    return std::nullopt;
  }
  for (const auto& place : decoded->unknown_keys) {
    if (!unknown_keys_.insert(without_indices(place)).second) continue;
    warnings_ += message(1, "warning", place + ": an unknown key is passed over", "");
  }
  const auto now = decoded->cycle.seen.now;
  if (!decoded->cycle.start && last_ && now <= *last_) {
    return tl::make_unexpected(
        message(1, "error",
                fmt::format("t: {} does not come after {} of the line before", seconds_text(now),
                            seconds_text(*last_)),
                "give rotated files from the oldest to the newest, each once: FILE.2 FILE.1 FILE"));
  }
  last_ = now;
  return std::move(decoded->cycle);
}

std::string RecordingReader::take_warnings() {
  return std::exchange(warnings_, {});
}

std::string RecordingReader::message(std::size_t column, std::string_view severity,
                                     std::string_view text, std::string_view hint) const {
  return fmt::format("{}:{}:{}: {}: {}\n{}", file_, line_, column, severity, text,
                     hint.empty() ? std::string() : fmt::format("      hint: {}\n", hint));
}

}  // namespace lvs::monitord
