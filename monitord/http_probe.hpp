#pragma once

// The little of HTTP/1.1 that a probe needs (RFC 9112): a GET, and the status line of its reply.

#include <string>
#include <string_view>

#include "monitord/agents.hpp"
#include "monitord/probe_config.hpp"

namespace lvs::monitord {

/// `path` and `host` of the probe are already known to be free of blanks and control characters.
std::string http_request(const ProbeConfig& probe, const Endpoint& to);

struct StatusLine {
  enum class State {
    incomplete,  ///< right so far
    complete,
    malformed,  ///< no more bytes can make it right
  };
  State state{State::incomplete};
  unsigned status{};  ///< 100 to 999 where complete

  friend bool operator==(const StatusLine&, const StatusLine&) = default;
};

/// `received` is everything that came so far. Taken as well, as RFC 9112 suggests: a lone line feed
/// at the end, and a status without the blank and the phrase behind it.
StatusLine status_line(std::string_view received);

}  // namespace lvs::monitord
