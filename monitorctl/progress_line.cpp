#include "monitorctl/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvs::monitorctl {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_line{300};
constexpr milliseconds between_lines{100};
constexpr std::size_t bar_width = 20;
constexpr std::uint64_t bytes_in_mb = 1'000'000;
constexpr auto to_line_start = "\r";
constexpr auto erase_line = "\r\033[K";

std::string time_text(std::chrono::seconds time) {
  const auto all = time.count();
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::string amount_text(const ProgressState& state) {
  const bool bytes = state.unit == "MB";
  const auto shown = [bytes](std::uint64_t count) {
    return bytes ? fmt::format("{:.1f}", static_cast<double>(count) / bytes_in_mb)
                 : std::to_string(count);
  };
  if (state.total == 0) return fmt::format("{} {}", shown(state.done), state.unit);
  return fmt::format("{} of {} {}", shown(state.done), shown(state.total), state.unit);
}

/// As if the rest were as fast as what is done.
std::string left_text(const ProgressState& state, double share) {
  if (share <= 0 || share >= 1) return "";
  const auto left = static_cast<double>(state.elapsed.count()) * (1 - share) / share;
  constexpr double longest_ms = 1000.0 * 3600 * 1000;  // more is a guess
  if (left > longest_ms) return "";
  const auto rounded =
      std::chrono::ceil<std::chrono::seconds>(milliseconds(static_cast<milliseconds::rep>(left)));
  return ", " + time_text(rounded) + " left";
}

}  // namespace

std::string progress_text(const ProgressState& state, std::size_t columns) {
  std::string text;
  if (state.total > 0) {
    const double share =
        std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    const auto filled = static_cast<std::size_t>(share * bar_width);
    text =
        fmt::format("{:3} % [{:<{}}] {}{}", static_cast<int>(share * 100), std::string(filled, '#'),
                    bar_width, amount_text(state), left_text(state, share));
  } else {
    text = fmt::format("{}, {}", amount_text(state),
                       time_text(std::chrono::floor<std::chrono::seconds>(state.elapsed)));
  }
  return text.substr(0, columns);
}

std::string ProgressLine::reached(std::uint64_t done, Time now) {
  state_.done = done;
  state_.elapsed = now;
  if (now < (drawn_ ? *drawn_ + between_lines : first_line)) return "";
  drawn_ = now;
  visible_ = true;
  return (to_line_start + progress_text(state_, columns_)) + "\033[K";
}

std::string ProgressLine::erased() {
  if (!visible_) return "";
  visible_ = false;
  return erase_line;
}

}  // namespace lvs::monitorctl
