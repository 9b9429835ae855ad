#include "strictyaml/source.hpp"

#include <algorithm>
#include <utility>

namespace lvs::strictyaml {

namespace {

// A configuration for 10,000 servers has about 1 MiB. yaml-cpp needs about a second for 1 MiB of
// the worst text.
constexpr std::size_t max_text_bytes = std::size_t{4} * 1024 * 1024;
constexpr std::size_t max_excerpt_characters = 100;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view ellipsis = "\xe2\x80\xa6";
constexpr std::string_view hex_digits = "0123456789abcdef";

std::string hex_byte(unsigned char byte) {
  return {'0', 'x', hex_digits[byte >> 4U], hex_digits[byte & 0xfU]};
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Control characters that no terminal should see: C0 but for tab, DEL, and C1 (U+0080..U+009F).
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return (first < 0x20 && first != '\t') || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

/// The next character of `rest` as it may be shown; what cannot be shown is "?".
std::string_view take_shown(std::string_view& rest) {
  const std::size_t length = std::max<std::size_t>(utf8_length(rest), 1);
  const std::string_view character = rest.substr(0, length);
  const bool shown = utf8_length(rest) != 0 && !is_control(character);
  rest.remove_prefix(length);
  return shown ? character : std::string_view{"?"};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool too_large = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

Source::Source(std::string text, std::string name, std::size_t file)
    : text_{std::move(text)}, name_{std::move(name)}, file_{file} {
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') starts_.push_back(i + 1);
  }
}

std::string_view Source::line(std::size_t number) const {
  if (number >= starts_.size()) return {};
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : text_.size();
  std::string_view line{text_};
  line = line.substr(starts_[number], end - starts_[number]);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t Source::column(Position where) const {
  const std::string_view before = line(where.line).substr(0, where.byte);
  return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(),
                                                    [](char c) { return !is_continuation(c); }));
}

Excerpt Source::excerpt(Position where) const {
  std::string_view rest = line(where.line);
  const std::size_t target = column(where) - 1;
  const std::size_t half = max_excerpt_characters / 2;
  const std::size_t skip =
      target > half && rest.size() > max_excerpt_characters ? target - half : 0;
  for (std::size_t i = 0; i < skip && !rest.empty(); ++i)
    take_shown(rest);
  Excerpt excerpt{.text = {}, .caret = target - skip + 1};
  if (skip > 0) {
    excerpt.text += ellipsis;
    ++excerpt.caret;
  }
  std::size_t taken = 0;
  for (; taken < max_excerpt_characters && !rest.empty(); ++taken)
    excerpt.text += take_shown(rest);
  if (!rest.empty()) excerpt.text += ellipsis;
  return excerpt;
}

Position Source::end() const {
  std::size_t last = starts_.size() - 1;
  while (last > 0 && line(last).find_first_not_of(" \t") == std::string_view::npos)
    --last;
  return {last, line(last).size(), file_};
}

Position Source::position(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto number = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return {number, offset - starts_[number], file_};
}

std::size_t Source::offset(Position where) const {
  if (where.line >= starts_.size()) return text_.size();
  return std::min(starts_[where.line] + where.byte, text_.size());
}

std::optional<Fault> text_fault(const Source& source) {
  const std::string& text = source.text();
  if (text.size() > max_text_bytes) {
    return Fault{source.position(0), "the file is larger than 4 MiB", "is this the right file?"};
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view{text}.substr(i);
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      return Fault{source.position(i),
                   "byte " + hex_byte(static_cast<unsigned char>(text[i])) + " is no UTF-8",
                   "is this a binary file, or one in an old encoding?"};
    }
    const bool line_end = text[i] == '\n' || rest.starts_with("\r\n");
    if (!line_end && is_control(rest.substr(0, length))) {
      const auto shown = static_cast<unsigned char>(rest[length - 1]);
      return Fault{source.position(i), "control character " + hex_byte(shown),
                   "a configuration is plain text"};
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace lvs::strictyaml
