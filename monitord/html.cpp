#include "monitord/html.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "strictyaml/words.hpp"

namespace lvs::monitord {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_plain_in_url(char c) {
  constexpr std::string_view others = "-._~:[]";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string html_from_text(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : strictyaml::text_as_utf8(text)) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else {
      html += is_control(c) ? ' ' : c;
    }
  }
  return html;
}

std::string url_part_from_text(std::string_view text) {
  std::string url;
  for (const char c : text) {
    if (is_plain_in_url(c)) {
      url += c;
    } else {
      url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return url;
}

std::optional<std::string> text_from_url_part(std::string_view part, bool plus) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    char c = part[i];
    if (c == '%') {
      if (part.size() - i < 3) return std::nullopt;
      const int high = hex_value(part[i + 1]);
      const int low = hex_value(part[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (plus && c == '+') {
      c = ' ';
    }
    if (is_control(c)) return std::nullopt;
    text += c;
  }
  return text;
}

std::string csv_from_text(std::string_view text) {
  constexpr std::string_view formula_starts = "=+-@";
  std::string guarded;
  if (!text.empty() && formula_starts.find(text.front()) != std::string_view::npos) guarded = "'";
  guarded += text;
  if (guarded.find_first_of(",\"\r\n") == std::string::npos) return guarded;
  std::string quoted = "\"";
  for (const char c : guarded) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string number_for_people(const std::optional<double>& value, int decimals) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string utc_from_wall_time(double seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}Z", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string span_for_people(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds));
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  if (whole >= day) return fmt::format("{} d {} h", whole / day, whole % day / hour);
  if (whole >= hour) return fmt::format("{} h {} min", whole / hour, whole % hour / minute);
  if (whole >= minute) return fmt::format("{} min", whole / minute);
  return fmt::format("{} s", whole);
}

}  // namespace lvs::monitord
