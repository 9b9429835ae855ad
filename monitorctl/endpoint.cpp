#include "monitorctl/endpoint.hpp"

#include <charconv>

namespace lvs::monitorctl {
namespace {

std::optional<std::uint16_t> port_from_text(std::string_view text) {
  std::uint16_t port = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stop != end || port == 0) return std::nullopt;
  return port;
}

}  // namespace

std::optional<Endpoint> endpoint_from_text(std::string_view text, std::uint16_t default_port) {
  std::string_view host = text;
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    host = text.substr(1, close - 1);
    const auto rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') return std::nullopt;
    has_port = !rest.empty();
    if (has_port) port = rest.substr(1);
  } else if (const auto colon = text.find(':');
             colon != std::string_view::npos && text.rfind(':') == colon) {
    // Two colons or more without brackets are an IPv6 address alone.
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    has_port = true;
  }
  if (host.empty()) return std::nullopt;
  if (!has_port) return Endpoint{std::string(host), default_port};
  const auto number = port_from_text(port);
  if (!number) return std::nullopt;
  return Endpoint{std::string(host), *number};
}

std::string string_from_endpoint(const Endpoint& endpoint) {
  const bool brackets = endpoint.host.find(':') != std::string::npos;
  return (brackets ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
         std::to_string(endpoint.port);
}

}  // namespace lvs::monitorctl
