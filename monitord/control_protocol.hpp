#pragma once

// What is said on the control socket: one JSON line asks, one JSON document with a newline answers.

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lvs::monitord {

/// Longest request line, newline not counted. Requests are one short word in an object.
inline constexpr std::size_t max_control_request = 4096;

enum class ControlCommand { status, version, reload };

/// Why a request is refused, and what would have worked.
struct ControlError {
  std::string message{};
  std::string hint{};  ///< may be empty

  friend bool operator==(const ControlError&, const ControlError&) = default;
};

/// `{"command":"status"}`, with or without its newline. Unknown keys are refused, so that a
/// misspelt option is never silently ignored.
tl::expected<ControlCommand, ControlError> control_command_from_line(std::string_view line);

/// `{"ok":true,"result":…}` and a newline.
std::string control_answer(boost::json::value result);
/// `{"ok":false,"error":…,"hint":…}` and a newline; no hint: null.
std::string control_answer(const ControlError& error);

}  // namespace lvs::monitord
