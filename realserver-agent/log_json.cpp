#include "realserver-agent/log_json.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include "strictyaml/words.hpp"

namespace lvs::agent {
namespace {

/// JSON leaves DEL as it is, which a terminal takes for a command.
std::string json_text(std::string_view text) {
  auto quoted = boost::json::serialize(boost::json::string(strictyaml::text_as_utf8(text)));
  for (auto at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f', at))
    quoted.replace(at, 1, "\\u007f");
  return quoted;
}

}  // namespace

std::string json_from_log(std::string_view time, std::string_view level, std::string_view message) {
  while (message.ends_with('\n'))
    message.remove_suffix(1);
  return "{\"time\":" + json_text(time) + ",\"level\":" + json_text(level) +
         ",\"message\":" + json_text(message) + "}";
}

}  // namespace lvs::agent
