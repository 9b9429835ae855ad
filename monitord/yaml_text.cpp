#include "monitord/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace lvs::monitord {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// What YAML 1.1 takes for something else than a text, in small letters.
constexpr std::array<std::string_view, 8> words{"y",  "n",   "yes",  "no",
                                                "on", "off", "true", "false"};

bool is_word_of_yaml(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return small == "null" || std::ranges::find(words, small) != words.end();
}

bool is_plain(std::string_view text) {
  if (text.empty() || !(is_letter(text.front()) || text.front() == '/')) return false;
  return !is_word_of_yaml(text) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '_' || c == '-';
  });
}

void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (byte < 0x20 || byte == 0x7f) {
    out += fmt::format("\\x{:02x}", byte);
  } else {
    out += c;
  }
}

}  // namespace

std::string yaml_from_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+0080 to U+009F, two bytes each: no terminal and no parser of ours wants to see them.
    const bool control =
        text[i] == '\xc2' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (control) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      append_escaped(out, text[i]);
    }
  }
  return out + '"';
}

}  // namespace lvs::monitord
