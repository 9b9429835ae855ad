#include "monitord/control_protocol.hpp"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "monitord/json_text.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

using Kind = Order::Kind;

/// A word, and which members may and must stand beside it.
struct Word {
  std::string_view name{};
  ControlCommand command{};
  Kind kind{};
  std::string_view needs{};  ///< keys, separated by spaces
  std::string_view takes{};
};
constexpr std::array<Word, 16> words{{
    {"status", ControlCommand::status, {}, "", ""},
    {"version", ControlCommand::version, {}, "", ""},
    {"reload", ControlCommand::reload, {}, "", ""},
    {"pause", ControlCommand::order, Kind::pause, "", "service"},
    {"resume", ControlCommand::order, Kind::resume, "", "service"},
    {"restore", ControlCommand::order, Kind::restore, "", "service"},
    {"pin", ControlCommand::order, Kind::pin, "service destination weight", "for_s"},
    {"unpin", ControlCommand::order, Kind::unpin, "service destination", ""},
    {"drain", ControlCommand::order, Kind::drain, "service destination", ""},
    {"undrain", ControlCommand::order, Kind::undrain, "service destination", ""},
    {"forget", ControlCommand::order, Kind::forget, "service", "destination"},
    {"state_export", ControlCommand::state_export, {}, "", ""},
    {"state_import", ControlCommand::state_import, {}, "journal", ""},
    {"history", ControlCommand::history, {}, "service destination", ""},
    {"events", ControlCommand::events, {}, "", ""},
    {"config", ControlCommand::config, {}, "", ""},
}};

constexpr std::uint64_t largest_pin = 65535;
constexpr double longest_pin_s = 366.0 * 86400;

std::string all_words() {
  std::string all;
  for (const auto& word : words)
    all.append(all.empty() ? "" : ", ").append(word.name);
  return all;
}

tl::unexpected<ControlError> refused(std::string message) {
  return tl::make_unexpected(ControlError{
      std::move(message), R"(send one line like {"command":"status"}; commands: )" + all_words()});
}

/// JSON leaves DEL as it is, which a terminal takes for a command as it does the characters below
/// 0x20.
std::string in_quotes(std::string_view text) {
  auto quoted = json_text(json::value(text));
  for (auto at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f', at))
    quoted.replace(at, 1, "\\u007f");
  return quoted;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

std::optional<std::string_view> text_of(const json::object& request, std::string_view key) {
  const auto* value = request.if_contains(json::string_view(key.data(), key.size()));
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string().data(), value->get_string().size());
}

/// Empty: every member is one that the word knows, and none is missing.
std::string fault_of_members(const json::object& request, const Word& word) {
  for (const auto& member : request) {
    const std::string_view key(member.key().data(), member.key().size());
    const bool known = key == "command" || has_word(word.needs, key) || has_word(word.takes, key);
    if (!known) return "unknown key " + in_quotes(key);
  }
  for (auto rest = word.needs; !rest.empty();) {
    const auto key = rest.substr(0, std::min(rest.find(' '), rest.size()));
    rest.remove_prefix(std::min(key.size() + 1, rest.size()));
    if (!request.contains(json::string_view(key.data(), key.size()))) {
      return std::string(word.name) + " needs " + in_quotes(key);
    }
  }
  return {};
}

std::string take_names(const json::object& request, Order& order) {
  if (request.contains("service")) {
    const auto text = text_of(request, "service");
    if (text) order.service = ipvs::service_key_from_string(*text);
    if (!order.service) return "\"service\" is no service: write tcp 10.9.9.9:80";
  }
  if (request.contains("destination")) {
    const auto text = text_of(request, "destination");
    if (text) order.destination = ipvs::destination_key_from_string(*text);
    if (!order.destination) return "\"destination\" is no destination: write 10.0.0.11:80";
  }
  return {};
}

std::string take_numbers(const json::object& request, Order& order) {
  json::error_code failure;
  if (const auto* weight = request.if_contains("weight")) {
    const auto number = weight->to_number<std::uint64_t>(failure);
    if (failure || number < 1 || number > largest_pin) {
      return "\"weight\" has to be 1 to 65535; to set 0 is to drain";
    }
    order.weight = static_cast<std::uint32_t>(number);
  }
  if (const auto* time = request.if_contains("for_s")) {
    const auto seconds = time->to_number<double>(failure);
    if (failure || !(seconds > 0 && seconds <= longest_pin_s)) {
      return "\"for_s\" has to be a number of seconds, at most those of a year";
    }
    order.lasting = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
  }
  return {};
}

tl::expected<ControlRequest, ControlError> request_from_object(const json::object& object,
                                                               const Word& word) {
  auto fault = fault_of_members(object, word);
  ControlRequest request{word.command, {}, {}};
  request.order.kind = word.kind;
  if (fault.empty()) fault = take_names(object, request.order);
  if (fault.empty()) fault = take_numbers(object, request.order);
  if (!fault.empty()) return refused(std::move(fault));
  if (word.command == ControlCommand::state_import) {
    const auto journal = text_of(object, "journal");
    if (!journal) return refused("\"journal\" is not a string");
    request.journal = *journal;
  }
  return request;
}

}  // namespace

bool is_writing(ControlCommand command) {
  return command == ControlCommand::reload || command == ControlCommand::order ||
         command == ControlCommand::state_import;
}

tl::expected<ControlRequest, ControlError> control_request_from_line(std::string_view line) {
  json::error_code failure;
  json::parse_options options;
  options.max_depth = 4;
  const auto parsed =
      json::parse(json::string_view(line.data(), line.size()), failure, {}, options);
  if (failure) return refused("the request is not JSON: " + failure.message());
  if (!parsed.is_object()) return refused("the request is not a JSON object");
  const auto& object = parsed.get_object();
  const auto* named = object.if_contains("command");
  if (named == nullptr) return refused("the request names no command");
  const auto name = text_of(object, "command");
  if (!name) return refused("the command is not a string");
  const auto word = std::ranges::find(words, *name, &Word::name);
  if (word == words.end()) return refused("unknown command " + in_quotes(*name));
  const bool imports = word->command == ControlCommand::state_import;
  const auto longest = imports ? max_control_import : max_control_request;
  if (line.size() > longest + 1) return refused("the request is too long");
  return request_from_object(object, *word);
}

std::string control_answer(json::value result) {
  json::object answer;
  answer["ok"] = true;
  answer["result"] = std::move(result);
  return json_text(answer) + '\n';
}

std::string control_answer(const ControlError& error) {
  json::object answer;
  answer["ok"] = false;
  answer["error"] = error.message;
  answer["hint"] = error.hint.empty() ? json::value(nullptr) : json::value(error.hint);
  return json_text(answer) + '\n';
}

}  // namespace lvs::monitord
