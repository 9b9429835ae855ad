#pragma once

// What every fuzz target checks with.

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lvs::fuzz {

/// An assertion that no build type takes out: libFuzzer keeps the input that breaks it.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Nothing in it that a terminal would take for a command.
inline void require_printable(std::string_view text) {
  require(std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  }));
}

}  // namespace lvs::fuzz
