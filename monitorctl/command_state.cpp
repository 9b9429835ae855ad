#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <chrono>
#include <string>

#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/file_input.hpp"
#include "monitord/journal_text.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

/// Some megabytes on a busy director.
constexpr std::chrono::seconds patience{30};

std::string member(const json::value& result, std::string_view key) {
  const auto* const object = result.if_object();
  const auto* const value =
      object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
  return value == nullptr || !value->is_string() ? std::string() : std::string(value->get_string());
}

Printed imported(const StateOptions& options) {
  const auto text = text_from_argument(options.file);
  if (!text) return failed_with(exit_status::failure, text.error());
  // The daemon would say so as well, but not that it is the file which is wrong. What a newer
  // monitord wrote is left to the daemon, which may be a newer one, too.
  const auto content = monitord::journal_from_text(*text);
  if (content.fault == monitord::JournalContent::Fault::corrupt) {
    return {"",
            fmt::format("{}:{}:1: error: this is no line of monitord's state\n"
                        "      hint: give it what `monitorctl state export` printed\n",
                        options.file == "-" ? "stdin" : options.file, content.line),
            exit_status::bad_file};
  }
  const auto result = ask_daemon(
      options.socket, json::object{{"command", "state_import"}, {"journal", *text}}, patience);
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  return {member(*result, "message") + "\n"};
}

}  // namespace

Printed run(const StateOptions& options) {
  if (options.imports) return imported(options);
  const auto result =
      ask_daemon(options.socket, json::object{{"command", "state_export"}}, patience);
  if (!result) return failed_with(exit_status_of(result.error()), result.error().message);
  return {member(*result, "journal")};
}

}  // namespace lvs::monitorctl
