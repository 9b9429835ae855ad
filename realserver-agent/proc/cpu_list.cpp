#include "realserver-agent/proc/cpu_list.hpp"

#include <algorithm>
#include <cstddef>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {
namespace {

constexpr std::uint64_t highest_cpu = 65535;

std::optional<std::uint32_t> count_of_range(std::string_view range) {
  const std::size_t hyphen = range.find('-');
  const auto first = number_from_text(range.substr(0, hyphen));
  const auto last =
      hyphen == std::string_view::npos ? first : number_from_text(range.substr(hyphen + 1));
  if (!first || !last || *last < *first || *last > highest_cpu) return std::nullopt;
  return static_cast<std::uint32_t>(*last - *first + 1);
}

}  // namespace

std::optional<std::uint32_t> count_of_cpu_list(std::string_view text) {
  text = trimmed(text);
  std::uint32_t count = 0;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto in_range = count_of_range(text.substr(0, comma));
    if (!in_range) return std::nullopt;
    count += *in_range;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return count;
}

std::optional<std::uint32_t> allowed_cpus_from_status(std::string_view text) {
  while (!text.empty()) {
    std::string_view rest = take_line(text);
    if (take_word(rest) == "Cpus_allowed_list:") return count_of_cpu_list(rest);
  }
  return std::nullopt;
}

}  // namespace lvs::agent
