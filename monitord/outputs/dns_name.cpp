#include "monitord/outputs/dns_name.hpp"

#include <algorithm>
#include <cstddef>

namespace lvs::monitord {
namespace {

constexpr std::size_t longest_label = 63;  // RFC 1035, 2.3.4
constexpr std::size_t longest_name = 253;  // as text

bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= longest_label && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

}  // namespace

bool is_dns_name(std::string_view text) {
  if (text.empty() || text.size() > longest_name) return false;
  while (true) {
    auto const dot = text.find('.');
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::string plain_dns_name(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return plain;
}

bool is_within_zone(std::string_view name, std::string_view zone) {
  if (name == zone) return true;
  return name.size() > zone.size() + 1 && name.ends_with(zone) &&
         name[name.size() - zone.size() - 1] == '.';
}

}  // namespace lvs::monitord
