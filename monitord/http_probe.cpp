#include "monitord/http_probe.hpp"

#include <algorithm>
#include <cstddef>

namespace lvs::monitord {
namespace {

/// What a status line begins with: `#` stands for a digit.
constexpr std::string_view pattern = "HTTP/1.# ###";
constexpr std::size_t status_at = 9;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool fits(std::string_view begin) {
  return std::ranges::equal(begin, pattern.substr(0, begin.size()), [](char c, char wanted) {
    return wanted == '#' ? is_digit(c) : c == wanted;
  });
}

}  // namespace

std::string http_request(const ProbeConfig& probe, const Endpoint& to) {
  std::string request = "GET " + probe.path + " HTTP/1.1\r\nHost: ";
  request += probe.host.empty() ? string_from_endpoint(to) : probe.host;
  // One probe, one connection: what is measured includes what a new client has to wait for.
  request += "\r\nUser-Agent: monitord\r\nAccept: */*\r\nConnection: close\r\n\r\n";
  return request;
}

StatusLine status_line(std::string_view received) {
  using State = StatusLine::State;
  const std::string_view begin = received.substr(0, pattern.size());
  if (!fits(begin)) return {State::malformed, 0};
  if (received.size() <= pattern.size()) return {State::incomplete, 0};

  const std::string_view rest = received.substr(pattern.size());
  if (rest.front() != ' ' && rest.front() != '\r' && rest.front() != '\n') {
    return {State::malformed, 0};
  }
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return {State::incomplete, 0};
  // A carriage return elsewhere than at the end of a line is a forged or broken reply.
  const std::size_t carriage_return = rest.find('\r');
  if (carriage_return < end && carriage_return + 1 != end) return {State::malformed, 0};

  unsigned status = 0;
  for (const char digit : received.substr(status_at, 3))
    status = status * 10 + static_cast<unsigned>(digit - '0');
  if (status < 100) return {State::malformed, 0};
  return {State::complete, status};
}

}  // namespace lvs::monitord
