#include "monitord/control_protocol.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "director.hpp"
#include "support/catch.hpp"

using lvs::monitord::control_answer;
using lvs::monitord::control_request_from_line;
using lvs::monitord::ControlCommand;
using lvs::monitord::ControlError;
using lvs::monitord::Order;

namespace {

const auto vip = lvs::monitord::testing::service_key("tcp 10.9.9.9:80");
const auto web1 = lvs::monitord::testing::destination_key("10.0.0.11:80");

}  // namespace

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
  auto const refused = control_request_from_line(line);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.substr(0, message.size()) == message);
  CHECK(refused.error().hint.find("status, version, reload") != std::string::npos);
}

TEST_CASE("control: a request has a greatest length") {
  std::string const head = R"({"command":"status")";
  std::string const fits =
      head + std::string(lvs::monitord::max_control_request - head.size() - 1, ' ') + "}\n";
  CHECK(control_request_from_line(fits).has_value());
  auto const refused = control_request_from_line(" " + fits);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "the request is too long");
}

TEST_CASE("control: every command is understood with and without its newline") {
  auto const [word, command] = GENERATE(table<std::string, ControlCommand>({
      {"status", ControlCommand::status},
      {"version", ControlCommand::version},
      {"events", ControlCommand::events},
      {"reload", ControlCommand::reload},
      {"state_export", ControlCommand::state_export},
  }));
  auto const line = R"({"command":")" + word + R"("})";
  CHECK(control_request_from_line(line).value().command == command);
  CHECK(control_request_from_line(line + "\n").value().command == command);
}

TEST_CASE("control: an answer is one line of JSON") {
  CHECK(control_answer(boost::json::value{{"version", "1.2.3"}}) ==
        "{\"ok\":true,\"result\":{\"version\":\"1.2.3\"}}\n");
  CHECK(control_answer(ControlError{"no\nsuch", "try \"status\""}) ==
        "{\"ok\":false,\"error\":\"no\\nsuch\",\"hint\":\"try \\\"status\\\"\"}\n");
  CHECK(control_answer(ControlError{"busy", ""}) ==
        "{\"ok\":false,\"error\":\"busy\",\"hint\":null}\n");
}

TEST_CASE("control: an order is understood with all that it is about") {
  auto const [line, order] = GENERATE(table<std::string, Order>({
      {R"({"command":"pause"})", {Order::Kind::pause, {}, {}, 0, {}}},
      {R"({"command":"resume","service":"tcp 10.9.9.9:80"})",
       {Order::Kind::resume, vip, {}, 0, {}}},
      {R"({"command":"restore","service":"tcp:10.9.9.9:80"})",
       {Order::Kind::restore, vip, {}, 0, {}}},
      {R"({"command":"pin","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","weight":5})",
       {Order::Kind::pin, vip, web1, 5, {}}},
      {R"({"command":"pin","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","weight":5,)"
       R"("for_s":7200})",
       {Order::Kind::pin, vip, web1, 5, std::chrono::hours(2)}},
      {R"({"command":"unpin","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"})",
       {Order::Kind::unpin, vip, web1, 0, {}}},
      {R"({"command":"drain","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"})",
       {Order::Kind::drain, vip, web1, 0, {}}},
      {R"({"command":"undrain","service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80"})",
       {Order::Kind::undrain, vip, web1, 0, {}}},
      {R"({"command":"forget","service":"tcp 10.9.9.9:80"})",
       {Order::Kind::forget, vip, {}, 0, {}}},
  }));
  auto const request = control_request_from_line(line);
  REQUIRE(request.has_value());
  CHECK(request->command == ControlCommand::order);
  CHECK(request->order == order);
}

TEST_CASE("control: an order that lacks something or has too much is refused") {
  auto const [line, message] = GENERATE(table<std::string, std::string>({
      {R"({"command":"pin","service":"tcp 10.9.9.9:80","weight":5})", "pin needs \"destination\""},
      {"{\"command\":\"dr\x7f"
       "ain\"}",
       "unknown command \"dr\\u007fain\""},  // nothing for a terminal
      {R"({"command":"drain"})", "drain needs \"service\""},
      {R"({"command":"forget"})", "forget needs \"service\""},
      {R"({"command":"pause","destination":"10.0.0.11:80"})", "unknown key \"destination\""},
      {R"({"command":"pause","service":"web"})", "\"service\" is no service"},
      {R"({"command":"pause","service":7})", "\"service\" is no service"},
      {R"({"command":"drain","service":"fwm:7","destination":"web"})",
       "\"destination\" is no destination"},
      {R"({"command":"pin","service":"fwm:7","destination":"10.0.0.11:80","weight":0})",
       "\"weight\" has to be 1 to 65535"},
      {R"({"command":"pin","service":"fwm:7","destination":"10.0.0.11:80","weight":65536})",
       "\"weight\" has to be 1 to 65535"},
      {R"({"command":"pin","service":"fwm:7","destination":"10.0.0.11:80","weight":5,"for_s":0})",
       "\"for_s\" has to be"},
      {R"({"command":"pin","service":"fwm:7","destination":"10.0.0.11:80","weight":5,"for_s":1e99})",
       "\"for_s\" has to be"},
      {R"({"command":"state_import"})", "state_import needs \"journal\""},
      {R"({"command":"state_import","journal":7})", "\"journal\" is not a string"},
  }));
  auto const refused = control_request_from_line(line);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.substr(0, message.size()) == message);
}

TEST_CASE("control: only an import may be long") {
  auto const text = std::string(lvs::monitord::max_control_request, 'x');
  CHECK(control_request_from_line(R"({"command":"state_import","journal":")" + text + "\"}")
            .value()
            .journal == text);
}

TEST_CASE("control: the history of a destination needs both names, and anybody may look") {
  auto const asked = control_request_from_line(
      R"({"command":"history","service":"tcp:10.9.9.9:80","destination":"10.0.0.11:80"})");
  REQUIRE(asked.has_value());
  CHECK(asked->command == ControlCommand::history);
  REQUIRE(asked->order.service.has_value());
  CHECK(lvs::ipvs::string_from_service_key(*asked->order.service) == "tcp 10.9.9.9:80");
  REQUIRE(asked->order.destination.has_value());
  CHECK_FALSE(lvs::monitord::is_writing(ControlCommand::history));
  CHECK_FALSE(lvs::monitord::is_writing(ControlCommand::events));
  auto const half = control_request_from_line(R"({"command":"history","service":"fwm:7"})");
  REQUIRE_FALSE(half.has_value());
  CHECK(half.error().message == R"(history needs "destination")");
}
