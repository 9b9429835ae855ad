#include "monitord/http_target.hpp"

#include <algorithm>

#include "ipvs/types.hpp"
#include "monitord/html.hpp"

namespace lvs::monitord {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// False: badly encoded.
bool take_query(std::string_view text, std::map<std::string, std::string>& query) {
  while (!text.empty()) {
    const auto end = std::min(text.find('&'), text.size());
    const auto pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto key = text_from_url_part(pair.substr(0, equals), true);
    auto value = text_from_url_part(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!key || !value) return false;
    query.try_emplace(*std::move(key), *std::move(value));
  }
  return true;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string HttpTarget::value(const std::string& key) const {
  const auto found = query.find(key);
  return found == query.end() ? std::string() : found->second;
}

std::optional<HttpTarget> http_target_from_text(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const auto question = std::min(text.find('?'), text.size());
  auto path = text_from_url_part(text.substr(0, question));
  HttpTarget target;
  if (!path || !take_query(text.substr(std::min(question + 1, text.size())), target.query)) {
    return std::nullopt;
  }
  target.path = *std::move(path);
  return target;
}

bool is_known_host(std::string_view host, const std::vector<std::string>& names) {
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    if (end == std::string_view::npos) return false;
    const auto rest = host.substr(end + 1);
    if (!rest.empty() && !(rest.front() == ':' && is_port(rest.substr(1)))) return false;
    return ipvs::ip_address_from_string(host.substr(1, end - 1)).has_value();
  }
  const auto colon = std::min(host.find(':'), host.size());
  const auto name = host.substr(0, colon);
  if (colon < host.size() && !is_port(host.substr(colon + 1))) return false;
  if (is_same_name(name, "localhost") || ipvs::ip_address_from_string(name)) return true;
  return std::ranges::any_of(names, [&](const auto& known) { return is_same_name(name, known); });
}

}  // namespace lvs::monitord
