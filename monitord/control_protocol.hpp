#pragma once

// What is said on the control socket: one JSON line asks, one JSON document with a newline answers.

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "monitord/control_error.hpp"
#include "monitord/order.hpp"

namespace lvs::monitord {

/// Longest request line, newline not counted: one word and what it is about.
inline constexpr std::size_t max_control_request = 4096;
/// Of somebody who may write: 10,000 learned servers take some 4 MB.
inline constexpr std::size_t max_control_import = std::size_t{64} << 20U;

enum class ControlCommand {
  status,
  version,
  reload,
  order,
  state_export,
  state_import,
  history,
  events,
  config,
};

struct ControlRequest {
  ControlCommand command{};
  Order order{};          ///< with `order`; with `history` its service and destination
  std::string journal{};  ///< with `state_import`: what `state_export` gave

  friend bool operator==(const ControlRequest&, const ControlRequest&) = default;
};

/// Changes something: for root and the daemon's own user only.
bool is_writing(ControlCommand command);

/// `{"command":"status"}`, with or without its newline; also version, reload, state_export, events,
/// config, and {"command":"history","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"}.
/// Orders:
///   {"command":"pause"}, resume, restore; with "service":"tcp 10.9.9.9:80" of that one only
///   {"command":"pin","service":…,"destination":"10.0.0.11:80","weight":5,"for_s":7200}
///   {"command":"unpin","service":…,"destination":…}, drain, undrain
///   {"command":"forget","service":…}, with "destination":… of that one only
/// and {"command":"state_import","journal":"…"}. Unknown keys are refused, so that a misspelt
/// option is never silently ignored.
tl::expected<ControlRequest, ControlError> control_request_from_line(std::string_view line);

/// `{"ok":true,"result":…}` and a newline.
std::string control_answer(boost::json::value result);
/// `{"ok":false,"error":…,"hint":…}` and a newline; no hint: null.
std::string control_answer(const ControlError& error);

}  // namespace lvs::monitord
