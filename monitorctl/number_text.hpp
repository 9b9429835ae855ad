#pragma once

// Numbers for people: an unknown one is "-".

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lvs::monitorctl {

inline std::string number_text(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

inline std::string number_text(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

inline std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

}  // namespace lvs::monitorctl
