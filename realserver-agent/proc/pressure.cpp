#include "realserver-agent/proc/pressure.hpp"

#include <optional>

namespace lvs::agent {
namespace {

constexpr std::string_view key = "total=";

std::optional<std::uint64_t> total_of_line(std::string_view rest) {
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (word.starts_with(key)) return number_from_text(word.substr(key.size()));
  }
  return std::nullopt;
}

}  // namespace

tl::expected<PressureFile, ParseError> pressure_from_text(std::string_view file,
                                                          std::string_view text) {
  PressureFile pressure{};
  bool has_some = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = line;
    const std::string_view name = take_word(rest);
    if (name != "some" && name != "full") continue;

    const auto total = total_of_line(rest);
    if (!total) return parse_error(file, "no total", line);

    (name == "some" ? pressure.some_us : pressure.full_us) = *total;
    has_some |= name == "some";
  }
  if (!has_some) return parse_error(file, "no line \"some\"");
  return pressure;
}

}  // namespace lvs::agent
