#pragma once

// Numbers as text, independent of the locale.

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lvs::strictyaml {

/// The whole text as a number; nothing when something is left over or it does not fit.
template <typename Number>
std::optional<Number> number_from_string(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return number;
}

/// The shortest text that reads back as the same number: 0.7.
inline std::string string_from_number(double number) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), result.ptr};
}

}  // namespace lvs::strictyaml
