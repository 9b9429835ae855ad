#include "monitord/log_limiter.hpp"

#include <chrono>
#include <string_view>

namespace lvs::monitord {
namespace {

constexpr Moment shortest_gap = std::chrono::minutes{1};
/// Things older than that are forgotten when so many are known.
constexpr std::size_t many_things = 1024;

std::string thing_of(const LogLine& line) {
  std::string thing = line.event;
  for (const auto& [key, value] : line.fields) {
    const std::string_view name = key;
    if (name == "service" || name == "destination" || name == "server" || name == "kind" ||
        name == "text") {
      thing += '\n';
      thing += value;
    }
  }
  return thing;
}

/// What others do as often as they like; monitord's own changes keep to min_write_interval.
bool is_of_others(const LogLine& line) {
  return line.event == "foreign_write" || line.event == "write_dropped";
}

}  // namespace

std::optional<LogLine> LogLimiter::passed(LogLine line, Moment now) {
  if (line.level < LogLevel::warning && !is_of_others(line)) return line;
  // Once a moment: thousands of servers may fall silent in one cycle.
  if (last_.size() > many_things && now != swept_) {
    swept_ = now;
    std::erase_if(last_, [&](const auto& one) { return now - one.second.at >= shortest_gap; });
  }
  const auto [found, fresh] = last_.try_emplace(thing_of(line), Last{now, 0});
  auto& last = found->second;
  if (fresh) return line;
  if (now - last.at < shortest_gap) {
    ++last.left_out;
    return std::nullopt;
  }
  if (last.left_out > 0) line.fields.emplace_back("left_out", std::to_string(last.left_out));
  last = {now, 0};
  return line;
}

}  // namespace lvs::monitord
