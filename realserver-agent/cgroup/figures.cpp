#include "realserver-agent/cgroup/figures.hpp"

#include <algorithm>

#include "realserver-agent/proc/cpu_list.hpp"

namespace lvs::agent {

tl::expected<std::optional<std::uint64_t>, ParseError> number_from_file(
    std::string_view file, const std::optional<std::string>& text) {
  if (!text) return std::optional<std::uint64_t>{};
  const auto number = number_from_text(trimmed(*text));
  if (!number) return parse_error(file, "no number", trimmed(*text));
  return number;
}

std::optional<std::uint64_t> number_of_key(const std::optional<std::string>& text,
                                           std::string_view key) {
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    if (take_word(line) == key) return number_from_text(take_word(line));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> cpus_x1000_from(std::uint64_t quota_us, std::uint64_t period_us) {
  constexpr std::uint64_t most = std::uint64_t{1} << 50U;  // the kernel allows 2^44
  if (period_us == 0 || quota_us > most) return std::nullopt;
  return std::max<std::uint64_t>(quota_us * 1000 / period_us, 1);
}

tl::expected<std::optional<std::uint32_t>, ParseError> cpus_from_lists(
    std::string_view file, const std::optional<std::string>& effective,
    const std::optional<std::string>& configured) {
  for (const auto* text : {&effective, &configured}) {
    if (!*text || trimmed(**text).empty()) continue;
    const auto count = count_of_cpu_list(**text);
    if (!count) return parse_error(file, "no list of CPUs", trimmed(**text));
    return count;
  }
  return std::optional<std::uint32_t>{};
}

}  // namespace lvs::agent
