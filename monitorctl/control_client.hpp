#pragma once

// Asks monitord over its control socket (a Unix stream): one line of JSON out, one document back.

#include <boost/json/object.hpp>
#include <chrono>
#include <string>
#include <tl/expected.hpp>

#include "monitorctl/printed.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

inline constexpr auto default_control_socket = "/run/monitord/control.sock";

struct ControlFailure {
  bool unreachable{};  ///< nobody listens, no permission or no answer in time: exit status 3
  std::string message{};
  bool forbidden{};  ///< of these: no permission, so that nothing is known of the daemon
};

/// 3 or 1.
inline int exit_status_of(const ControlFailure& failure) {
  return failure.unreachable ? exit_status::unreachable : exit_status::failure;
}

/// Why connect() to the socket failed with `error_number`, and what to do. It refuses a plain file
/// as it does a socket that nobody listens on: what is there has to be looked at.
std::string why_not_connected(const std::string& path, int error_number);

/// The `result` of the answer. Blocks until `deadline` at most.
tl::expected<boost::json::value, ControlFailure> ask_daemon(
    const std::string& socket_path, const std::string& command,
    std::chrono::milliseconds deadline = std::chrono::seconds{5});

/// The same for a request with more than a command in it.
tl::expected<boost::json::value, ControlFailure> ask_daemon(
    const std::string& socket_path, const boost::json::object& request,
    std::chrono::milliseconds deadline = std::chrono::seconds{5});

tl::expected<Status, ControlFailure> daemon_status(
    const std::string& socket_path, std::chrono::milliseconds deadline = std::chrono::seconds{5});

}  // namespace lvs::monitorctl
