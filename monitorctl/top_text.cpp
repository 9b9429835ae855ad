#include "monitorctl/top_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lvs::monitorctl {

const TopGlyphs unicode_glyphs{true, "…", "↑", "↓", {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}};
const TopGlyphs ascii_glyphs{false, "~", "^", "v", {"_", ".", ":", "-", "=", "+", "*", "#"}};

namespace {

bool goes_on(char character) {
  return (static_cast<unsigned char>(character) & 0xc0) == 0x80;
}

struct Character {
  std::size_t bytes{1};
  std::uint32_t code{};  ///< 0: not UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!goes_on(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return {bytes, code};
}

/// Scripts whose characters are one column each in every terminal; combining ones are not.
bool is_one_column(std::uint32_t code) {
  struct Range {
    std::uint32_t from, to;
  };
  static constexpr std::array<Range, 7> ranges{{{0x20, 0x7e},
                                                {0xa0, 0xac},  // 0xad is the soft hyphen
                                                {0xae, 0x2ff},
                                                {0x370, 0x482},
                                                {0x48a, 0x58f},
                                                {0x2010, 0x2027},
                                                {0x2190, 0x21ff}}};
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return code >= range.from && code <= range.to; });
}

}  // namespace

std::string shown(std::string_view text, const TopGlyphs& glyphs) {
  std::string clean;
  while (!text.empty()) {
    const auto [bytes, code] = first_character(text);
    const bool is_control = (code > 0 && code < 0x20) || text.front() == '\0';
    if (is_control) {
      clean += ' ';
    } else if (is_one_column(code) && (glyphs.unicode || code < 0x7f)) {
      clean += text.substr(0, bytes);
    } else {
      clean += '?';
    }
    text.remove_prefix(bytes);
  }
  return clean;
}

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, goes_on));
}

std::string_view first_columns(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!goes_on(text[end]) && width-- == 0) break;
  }
  return text.substr(0, end);
}

std::string cut(std::string_view text, std::size_t width, const TopGlyphs& glyphs) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(first_columns(text, width - 1)).append(glyphs.ellipsis);
}

std::string cut_in_the_middle(std::string_view text, std::size_t width, const TopGlyphs& glyphs) {
  const auto whole = width_of(text);
  if (whole <= width || width < 3) return cut(text, width, glyphs);
  const auto head = (width - 1) * 2 / 5;  // the end, with the port, tells more apart
  const auto tail = width - 1 - head;
  return std::string(first_columns(text, head))
      .append(glyphs.ellipsis)
      .append(text.substr(first_columns(text, whole - tail).size()));
}

std::string padded_left(const std::string& text, std::size_t width) {
  const auto columns = width_of(text);
  return columns < width ? std::string(width - columns, ' ') + text : text;
}

std::string padded_right(std::string text, std::size_t width) {
  const auto columns = width_of(text);
  if (columns < width) text.append(width - columns, ' ');
  return text;
}

std::string sparkline(const TopTrail::Means& means, double highest, const TopGlyphs& glyphs) {
  std::string line;
  const auto steps = static_cast<double>(glyphs.levels.size() - 1);
  for (const auto& mean : means) {
    if (!mean) {
      line += ' ';
      continue;
    }
    const double share = highest > 0 ? std::clamp(*mean / highest, 0.0, 1.0) : 0;
    line += glyphs.levels[static_cast<std::size_t>(std::lround(share * steps))];
  }
  return line;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  if (indent >= width) indent = 0;
  std::vector<std::string> lines;
  std::string blanks;
  while (blanks.size() + width_of(text) > width) {
    const auto room = width - blanks.size();
    auto piece = first_columns(text, room + 1);
    const auto blank = piece.rfind(' ');
    const bool at_blank = blank != std::string_view::npos && blank > indent;
    piece = at_blank ? piece.substr(0, blank) : first_columns(text, std::max<std::size_t>(room, 1));
    lines.push_back(blanks + std::string(piece));
    text.remove_prefix(piece.size() + (at_blank ? 1 : 0));
    blanks.assign(indent, ' ');
  }
  lines.push_back(blanks + std::string(text));
  return lines;
}

std::size_t width_of(const TopLine& line) {
  std::size_t width = 0;
  for (const auto& span : line)
    width += width_of(span.text);
  return width;
}

std::string text_of(const TopLine& line) {
  std::string text;
  for (const auto& span : line)
    text += span.text;
  while (text.ends_with(' '))
    text.pop_back();
  return text;
}

}  // namespace lvs::monitorctl
