#include "realserver-agent/proc/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>

namespace lvs::agent {
namespace {

constexpr std::string_view blanks = " \t\n\r\v\f";
constexpr std::size_t quoted_length = 80;

}  // namespace

std::string string_from_parse_error(const ParseError& error) {
  std::string text = error.file + ": " + error.reason;
  if (!error.line.empty()) text += ": \"" + error.line + '"';
  return text;
}

tl::unexpected<ParseError> parse_error(std::string_view file, std::string_view reason,
                                       std::string_view line) {
  return tl::unexpected<ParseError>{ParseError{std::string{file}, std::string{reason},
                                               std::string{line.substr(0, quoted_length)}}};
}

std::optional<std::uint64_t> number_from_text(std::string_view text) {
  std::uint64_t value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> hundredths_from_text(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = number_from_text(text.substr(0, point));
  if (!whole || *whole > (std::numeric_limits<std::uint64_t>::max() - 99) / 100) {
    return std::nullopt;
  }
  if (point == text.size()) return *whole * 100;

  const std::string_view digits = text.substr(point + 1);
  if (!number_from_text(digits)) return std::nullopt;
  std::string two{digits.substr(0, 2)};
  two.resize(2, '0');
  return *whole * 100 + *number_from_text(two);
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace lvs::agent
