#pragma once

// Numbers for people: an unknown one is "-".

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitorctl {

inline std::string number_text(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

inline std::string number_text(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

/// "1 service", "2 services"
inline std::string counted(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

inline std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

}  // namespace lvs::monitorctl
