#pragma once

// Text in a terminal: what may be shown, how wide it is, and styled pieces of lines. Pure.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "monitorctl/top_trail.hpp"

namespace lvs::monitorctl {

/// What a colour says; every one of them stands beside a word that says it, too.
enum class Tone { plain, quiet, hand, note, bad };

struct TopStyle {
  Tone tone{Tone::plain};
  bool bold{}, reverse{};

  friend bool operator==(const TopStyle&, const TopStyle&) = default;
};

struct TopSpan {
  std::string text{};
  TopStyle style{};

  friend bool operator==(const TopSpan&, const TopSpan&) = default;
};
using TopLine = std::vector<TopSpan>;

/// The characters that depend on the terminal.
struct TopGlyphs {
  bool unicode{};
  std::string_view ellipsis{}, up{}, down{};
  std::array<std::string_view, 8> levels{};  ///< of a sparkline, lowest first
};
extern const TopGlyphs unicode_glyphs;
extern const TopGlyphs ascii_glyphs;

/// `text` as a terminal may have it: control characters become blanks, and what `glyphs` does not
/// allow or may be wider or narrower than one column, becomes "?". So a character is a column.
std::string shown(std::string_view text, const TopGlyphs& glyphs);

/// Columns of a text that shown() made.
std::size_t width_of(std::string_view text);
/// Its first `width` columns.
std::string_view first_columns(std::string_view text, std::size_t width);

/// At most `width` columns: the end is cut off, with an ellipsis.
std::string cut(std::string_view text, std::size_t width, const TopGlyphs& glyphs);
/// The same, but the middle is left out: of addresses both ends matter.
std::string cut_in_the_middle(std::string_view text, std::size_t width, const TopGlyphs& glyphs);
std::string padded_left(const std::string& text, std::size_t width);
std::string padded_right(std::string text, std::size_t width);

/// One character for each mean, between 0 and `highest`; a blank where nothing is known.
std::string sparkline(const TopTrail::Means& means, double highest, const TopGlyphs& glyphs);

/// Lines of at most `width` columns, broken at blanks; what goes on is indented by `indent`.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent);

std::size_t width_of(const TopLine& line);
/// Text alone, without blanks at the end.
std::string text_of(const TopLine& line);

}  // namespace lvs::monitorctl
