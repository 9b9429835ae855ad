#include "monitord/http_target.hpp"

#include <string>

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("http target: what is no path is none") {
  const auto bad = GENERATE(as<std::string>{}, "", "*", "http://10.0.0.1/", "status", "/%",
                            "/?a=%zz", "/a%00b", "/?%0a=1");
  INFO(bad);
  CHECK_FALSE(http_target_from_text(bad).has_value());
}

TEST_CASE("http target: path and query are decoded, the first of equal keys counts") {
  const auto target = http_target_from_text("/server/fd00%3A%3A1?q=a+b%26c&q=2&look&x=");
  REQUIRE(target.has_value());
  CHECK(target->path == "/server/fd00::1");
  CHECK(target->value("q") == "a b&c");
  CHECK(target->value("look").empty());
  CHECK(target->query.size() == 3);
  CHECK(target->value("absent").empty());
  CHECK(http_target_from_text("/?")->path == "/");
  CHECK(http_target_from_text("/?&&")->query.empty());
}

TEST_CASE("http host: addresses, localhost and listed names are known, with any port") {
  const auto host = GENERATE(as<std::string>{}, "127.0.0.1", "127.0.0.1:6354", "10.0.0.1:80",
                             "[::1]", "[::1]:6354", "[2001:db8::1]:1", "localhost",
                             "LocalHost:6354", "lvs1.example.org", "LVS1.example.ORG:443");
  INFO(host);
  CHECK(is_known_host(host, {"lvs1.example.org"}));
}

TEST_CASE("http host: any other name could be somebody else's page") {
  const auto host =
      GENERATE(as<std::string>{}, "", ":80", "evil.example.org", "localhost.evil.org",
               "127.0.0.1.evil.org", "lvs1.example.org.evil.org", "[::1", "[::1]x", "[evil]:80",
               "::1", "127.0.0.1:x", "localhost:6354:1", "127.1", "0x7f000001", "[::1]:123456");
  INFO(host);
  CHECK_FALSE(is_known_host(host, {"lvs1.example.org"}));
}
