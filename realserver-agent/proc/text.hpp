#pragma once

// Words, lines and numbers of the kernel's text files. All functions are pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace lvs::agent {

/// Text that is not what the kernel's documentation says.
struct ParseError {
  std::string file{};    ///< "/proc/stat"
  std::string reason{};  ///< "fewer than four numbers"
  std::string line{};    ///< the offending line, cut to 80 characters; may be empty

  friend bool operator==(const ParseError&, const ParseError&) = default;
};

/// `/proc/stat: fewer than four numbers: "cpu0 1 2"`
std::string string_from_parse_error(const ParseError& error);
tl::unexpected<ParseError> parse_error(std::string_view file, std::string_view reason,
                                       std::string_view line = {});

/// The whole of `text` as a decimal number: no sign, no space, no overflow of 64 bits.
std::optional<std::uint64_t> number_from_text(std::string_view text);

/// A decimal fraction like "914.37" in units of 1/100; digits after the second are dropped.
std::optional<std::uint64_t> hundredths_from_text(std::string_view text);

/// Takes the first line off `rest`, without its newline.
std::string_view take_line(std::string_view& rest);

/// Takes the first word off `rest`; empty at its end. Blanks, tabs and newlines separate.
std::string_view take_word(std::string_view& rest);

/// Without blanks and newlines at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace lvs::agent
