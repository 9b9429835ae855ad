#include "monitord/log_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvs::monitord {
namespace {

bool is_plain(unsigned char c) {
  return c > 0x20 && c != 0x7f && c != '"' && c != '\\' && c != '=';
}

void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (byte < 0x20 || byte == 0x7f) {
    out += fmt::format("\\x{:02x}", byte);
  } else {
    out += c;
  }
}

void append_value(std::string& out, std::string_view value) {
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return is_plain(static_cast<unsigned char>(c));
  });
  if (plain) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value)
    append_escaped(out, c);
  out += '"';
}

}  // namespace

std::string_view field_of(const LogLine& line, std::string_view key) {
  for (const auto& [name, value] : line.fields) {
    if (name == key) return value;
  }
  return {};
}

std::string string_from_log_line(const LogLine& line) {
  std::string out = line.event;
  for (const auto& [key, value] : line.fields) {
    out += ' ';
    out += key;
    out += '=';
    append_value(out, value);
  }
  return out;
}

}  // namespace lvs::monitord
