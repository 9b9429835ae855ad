#include "monitord/control_protocol.hpp"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

namespace lvs::monitord {
namespace {

namespace json = boost::json;

constexpr std::array<std::pair<std::string_view, ControlCommand>, 3> commands{{
    {"status", ControlCommand::status},
    {"version", ControlCommand::version},
    {"reload", ControlCommand::reload},
}};

std::optional<ControlCommand> command_from_word(std::string_view word) {
  for (const auto& [name, command] : commands) {
    if (name == word) return command;
  }
  return std::nullopt;
}

tl::unexpected<ControlError> refused(std::string message) {
  return tl::make_unexpected(ControlError{std::move(message),
                                          R"(send one line like {"command":"status"}; )"
                                          "commands: status, version, reload"});
}

std::string in_quotes(std::string_view text) {
  return json::serialize(json::string(text));
}

}  // namespace

tl::expected<ControlCommand, ControlError> control_command_from_line(std::string_view line) {
  if (line.size() > max_control_request + 1) return refused("the request is too long");

  json::error_code failure;
  json::parse_options options;
  options.max_depth = 4;
  const auto parsed =
      json::parse(json::string_view(line.data(), line.size()), failure, {}, options);
  if (failure) return refused("the request is not JSON: " + failure.message());
  if (!parsed.is_object()) return refused("the request is not a JSON object");

  const auto& request = parsed.get_object();
  for (const auto& member : request) {
    const std::string_view key(member.key().data(), member.key().size());
    if (key != "command") return refused("unknown key " + in_quotes(key));
  }
  const auto* word = request.if_contains("command");
  if (word == nullptr) return refused("the request names no command");
  if (!word->is_string()) return refused("the command is not a string");

  const auto& name = word->get_string();
  const auto command = command_from_word(std::string_view(name.data(), name.size()));
  if (!command) return refused("unknown command " + json::serialize(*word));
  return *command;
}

std::string control_answer(json::value result) {
  json::object answer;
  answer["ok"] = true;
  answer["result"] = std::move(result);
  return json::serialize(answer) + '\n';
}

std::string control_answer(const ControlError& error) {
  json::object answer;
  answer["ok"] = false;
  answer["error"] = error.message;
  answer["hint"] = error.hint.empty() ? json::value(nullptr) : json::value(error.hint);
  return json::serialize(answer) + '\n';
}

}  // namespace lvs::monitord
