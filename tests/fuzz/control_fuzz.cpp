// Any bytes as a request on the control socket: understood, or refused in one line of JSON that
// shows nothing of it raw.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "monitord/control_protocol.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line{reinterpret_cast<const char*>(data), size};
  const auto request = control_request_from_line(line);
  if (request) return 0;
  require(!request.error().message.empty());
  const auto answer = control_answer(request.error());
  require(answer.find('\n') == answer.size() - 1);
  lvs::fuzz::require_printable(answer);
  boost::json::error_code failure;
  const auto parsed = boost::json::parse(answer, failure);
  require(!failure && parsed.is_object() && !parsed.at("ok").as_bool());
  return 0;
}
