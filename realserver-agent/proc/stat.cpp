#include "realserver-agent/proc/stat.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lvs::agent {
namespace {

constexpr std::string_view file_name = "/proc/stat";

/// "cpu7" -> 7, "cpu" -> all_cpus; empty for another word.
std::optional<int> cpu_from_name(std::string_view name) {
  if (name == "cpu") return all_cpus;
  const auto number = number_from_text(name.substr(3));
  if (!number || *number > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

/// Kernels before 2.6.11 have fewer columns; user, nice, system and idle were always there.
std::optional<CpuTicks> ticks_from_text(std::string_view rest) {
  CpuTicks ticks{};
  const std::array fields{&ticks.user,   &ticks.nice, &ticks.system,  &ticks.idle,
                          &ticks.iowait, &ticks.irq,  &ticks.softirq, &ticks.steal};
  std::size_t count = 0;
  for (std::uint64_t* field : fields) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    const auto number = number_from_text(word);
    if (!number) return std::nullopt;
    *field = *number;
    ++count;
  }
  return count < 4 ? std::nullopt : std::optional{ticks};
}

std::optional<std::uint32_t> count_from_text(std::string_view rest) {
  const auto number = number_from_text(take_word(rest));
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

}  // namespace

bool StatScanner::feed(std::string_view piece) {
  while (!piece.empty() && !is_done()) {
    const std::size_t newline = piece.find('\n');
    const std::string_view part = piece.substr(0, newline);
    const std::size_t room = longest_line - line_.size();
    line_ += part.substr(0, room);
    too_long_ |= part.size() > room;
    if (newline == std::string_view::npos) break;
    end_line();
    piece.remove_prefix(newline + 1);
  }
  return !is_done();
}

void StatScanner::end_line() {
  const std::string line = std::exchange(line_, {});
  const bool too_long = std::exchange(too_long_, false);
  std::string_view rest = line;
  const std::string_view name = take_word(rest);
  if (name.starts_with("cpu")) {
    if (too_long) rest = {};  // refused for its missing numbers
    read_cpu(name, rest);
  } else if (name == "procs_running") {
    file_.procs_running = count_from_text(rest);
  } else if (name == "procs_blocked") {
    file_.procs_blocked = count_from_text(rest);
  }
}

void StatScanner::read_cpu(std::string_view name, std::string_view numbers) {
  if (error_) return;
  const auto cpu = cpu_from_name(name);
  const auto ticks = ticks_from_text(numbers);
  if (!cpu || !ticks) {
    error_ = parse_error(file_name, "no line of a CPU", std::string{name} + std::string{numbers})
                 .value();
    return;
  }
  if (*cpu == all_cpus) {
    summary_ = *ticks;
  } else if (!file_.cpus.emplace(*cpu, *ticks).second) {
    error_ = parse_error(file_name, "two lines of one CPU", name).value();
  }
}

tl::expected<StatFile, ParseError> StatScanner::finish() {
  if (!line_.empty()) end_line();
  if (error_) return tl::unexpected(*error_);
  if (file_.cpus.empty() && summary_) file_.cpus.emplace(all_cpus, *summary_);
  if (file_.cpus.empty()) return parse_error(file_name, "no cpu line");
  return file_;
}

tl::expected<StatFile, ParseError> stat_from_text(std::string_view text) {
  StatScanner scanner;
  scanner.feed(text);
  return scanner.finish();
}

}  // namespace lvs::agent
