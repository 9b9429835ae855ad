#include "monitord/http_answer.hpp"

#include <string>
#include <string_view>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

HttpAnswer got(const std::string& target, const std::string& method = "GET",
               const std::string& host = "127.0.0.1:6354") {
  static const auto value = published(3);
  return http_answer({method, target, host}, value, {"lvs1.example.org"});
}

}  // namespace

TEST_CASE("http answer: nothing but looking is allowed") {
  const auto method =
      GENERATE(as<std::string>{}, "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "");
  const auto answer = got("/", method);
  CHECK(answer.status == 405);
  CHECK(answer.allow == "GET, HEAD");
}

TEST_CASE("http answer: a name that nobody listed is refused on every page") {
  const auto target = GENERATE(as<std::string>{}, "/", "/metrics", "/api/status", "/nowhere");
  CHECK(got(target, "GET", "evil.example.org").status == 421);
  CHECK(got(target, "GET", "").status == 421);
  CHECK(got(target, "GET", "lvs1.example.org").status != 421);
}

TEST_CASE("http answer: what is not there, and what is no request") {
  CHECK(got("/nowhere").status == 404);
  CHECK(got("/server/10.9.9.9").status == 404);
  CHECK(got("/server/").status == 404);
  CHECK(got("/server/../events").status == 404);
  CHECK(got("/%").status == 400);
  CHECK(got("*").status == 400);
  CHECK(got("/api/history").status == 400);
  CHECK(got("/history.csv?service=tcp:10.9.9.9:80").status == 400);
}

TEST_CASE("http answer: every page has its type") {
  auto [target, type, part] = GENERATE(table<std::string, std::string, std::string>({
      {"/", "text/html", "<h1>"},
      {"/?q=fd00&look=0", "text/html", "fd00::11"},
      {"/events", "text/html", "<h2>Events"},
      {"/server/10.0.0.11", "text/html", "Real server 10.0.0.11"},
      {"/server/fd00::11", "text/html", "Real server fd00::11"},
      {"/server/fd00%3A%3A11", "text/html", "Real server fd00::11"},
      {"/metrics", "text/plain; version=0.0.4", "monitord_backend_weight{"},
      {"/api/status", "application/json", "\"services\":["},
      {"/api/live", "application/json", "\"rows\":{"},
      {"/api/events", "application/json", "\"events\":["},
      {"/api/history?service=tcp:10.9.9.9:80&destination=10.0.0.11:80", "application/json",
       "\"points\":[["},
      {"/api/history?service=tcp%2010.9.9.9:80&destination=10.0.0.11:80", "application/json",
       "\"points\":[["},
      {"/history.csv?service=fwm:7&destination=10.0.0.11:0", "text/csv", "\n1800000002,10,"},
      {"/status.csv", "text/csv", "fwm 7,wrr,10.0.0.11:0"},
      {"/events.csv", "text/csv", "wall_time,level"},
      {"/page.js", "text/javascript", "use strict"},
      {"/page.css", "text/css", ":root"},
      {"/icon.svg", "image/svg+xml", "<svg"},
  }));
  const auto answer = got(target);
  INFO(target);
  CHECK(answer.status == 200);
  CHECK(answer.content_type.starts_with(type));
  CHECK(answer.body.find(part) != std::string::npos);
  CHECK(got(target, "HEAD") == answer);
}

TEST_CASE("http answer: no answer may run, load or be framed by anything from elsewhere") {
  for (const auto* const target : {"/", "/nowhere", "/page.js"}) {
    std::string policy;
    std::string cache;
    for (const auto& [name, value] : http_headers(got(target))) {
      if (name == "Content-Security-Policy") policy = value;
      if (name == "Cache-Control") cache = value;
    }
    CHECK(policy.starts_with("default-src 'none'; script-src 'self';"));
    CHECK(policy.find("frame-ancestors 'none'") != std::string::npos);
    CHECK(policy.find("unsafe") == std::string::npos);
    CHECK(cache == (std::string_view(target) == "/page.js" ? "no-cache" : "no-store"));
  }
}
