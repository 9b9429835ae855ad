#include "monitord/control_protocol.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "support/catch.hpp"

using lvs::monitord::control_answer;
using lvs::monitord::control_command_from_line;
using lvs::monitord::ControlCommand;
using lvs::monitord::ControlError;

TEST_CASE("control: a bad request is refused with what is wrong") {
  auto const [line, message] = GENERATE(table<std::string, std::string>({
      {"", "the request is not JSON"},
      {"\n", "the request is not JSON"},
      {"status", "the request is not JSON"},
      {R"({"command":"status")", "the request is not JSON"},
      {R"({"command":"status"} x)", "the request is not JSON"},
      {"[]", "the request is not a JSON object"},
      {"\"status\"", "the request is not a JSON object"},
      {"{}", "the request names no command"},
      {R"({"command":7})", "the command is not a string"},
      {R"({"command":"drop\ntable"})", R"(unknown command "drop\ntable")"},
      {R"({"command":"Status"})", R"(unknown command "Status")"},
      {R"({"command":"status","verbose":true})", R"(unknown key "verbose")"},
      {std::string(200, '['), "the request is not JSON"},
  }));
  auto const refused = control_command_from_line(line);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.substr(0, message.size()) == message);
  CHECK(refused.error().hint.find("status, version, reload") != std::string::npos);
}

TEST_CASE("control: a request has a greatest length") {
  std::string const head = R"({"command":"status")";
  std::string const fits =
      head + std::string(lvs::monitord::max_control_request - head.size() - 1, ' ') + "}\n";
  CHECK(control_command_from_line(fits).has_value());
  auto const refused = control_command_from_line(" " + fits);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "the request is too long");
}

TEST_CASE("control: every command is understood with and without its newline") {
  auto const [word, command] = GENERATE(table<std::string, ControlCommand>({
      {"status", ControlCommand::status},
      {"version", ControlCommand::version},
      {"reload", ControlCommand::reload},
  }));
  auto const line = R"({"command":")" + word + R"("})";
  CHECK(control_command_from_line(line).value() == command);
  CHECK(control_command_from_line(line + "\n").value() == command);
}

TEST_CASE("control: an answer is one line of JSON") {
  CHECK(control_answer(boost::json::value{{"version", "1.2.3"}}) ==
        "{\"ok\":true,\"result\":{\"version\":\"1.2.3\"}}\n");
  CHECK(control_answer(ControlError{"no\nsuch", "try \"status\""}) ==
        "{\"ok\":false,\"error\":\"no\\nsuch\",\"hint\":\"try \\\"status\\\"\"}\n");
  CHECK(control_answer(ControlError{"busy", ""}) ==
        "{\"ok\":false,\"error\":\"busy\",\"hint\":null}\n");
}
