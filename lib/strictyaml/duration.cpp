#include "strictyaml/duration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace lvs::strictyaml {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
  bool written;  ///< may stand in a configuration
};

// Largest first. "ms" has to be looked for before "s" and after "m" as a suffix; names are compared
// whole, so the order serves the output only.
constexpr std::array units{
    Unit{"h", 3'600'000'000'000, true}, Unit{"m", 60'000'000'000, true},
    Unit{"s", 1'000'000'000, true},     Unit{"ms", 1'000'000, true},
    Unit{"us", 1'000, false},           Unit{"ns", 1, false},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::optional<std::int64_t> duration_ns_from_string(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  double number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : units) {
    if (!unit.written || unit.name != name) continue;
    const double nanoseconds = std::round(number * static_cast<double>(unit.nanoseconds));
    if (nanoseconds > 9.2e18) return std::nullopt;
    return static_cast<std::int64_t>(nanoseconds);
  }
  return std::nullopt;
}

std::string string_from_duration_ns(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  for (const Unit& unit : units) {
    if (nanoseconds % unit.nanoseconds == 0) {
      return std::to_string(nanoseconds / unit.nanoseconds) + std::string{unit.name};
    }
  }
  return {};  // not reached: every number is divisible by 1
}

}  // namespace lvs::strictyaml
