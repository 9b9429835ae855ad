#include "realserver-agent/proc/diskstats.hpp"

namespace lvs::agent {
namespace {

constexpr unsigned name_column = 3;
constexpr unsigned io_time_column = 13;

}  // namespace

tl::expected<DiskTimes, ParseError> disk_times_from_text(std::string_view text) {
  DiskTimes times;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = line;
    std::string_view name;
    std::string_view word;
    for (unsigned column = 1; column <= io_time_column; ++column) {
      word = take_word(rest);
      if (column == name_column) name = word;
    }
    if (name.empty() && trimmed(line).empty()) continue;

    const auto time = number_from_text(word);
    if (!time) return parse_error("/proc/diskstats", "no I/O time", line);

    times.insert_or_assign(std::string{name}, *time);
  }
  return times;
}

}  // namespace lvs::agent
