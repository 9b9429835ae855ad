#include "realserver-agent/log_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "support/catch.hpp"

using lvs::agent::json_from_log;

TEST_CASE("log json: an object a line") {
  CHECK(json_from_log("2026-05-01T12:00:00.123Z", "info", "answering on 10.0.0.11:6353") ==
        R"({"time":"2026-05-01T12:00:00.123Z","level":"info",)"
        R"("message":"answering on 10.0.0.11:6353"})");
}

TEST_CASE("log json: many lines are one and stay valid") {
  const std::string message =
      GENERATE(as<std::string>{}, "a\nb", "say \"hi\"", "\x1b[31m\x7f", "gr\xc3\xbc\xc3\x9f");
  const auto text = json_from_log("t", "error", message + "\n");
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\x7f') == std::string::npos);
  CHECK(std::string(boost::json::parse(text).at("message").as_string()) == message);
  CHECK(boost::json::parse(json_from_log("t", "e", "\xff")).at("message").as_string() == "?");
}
