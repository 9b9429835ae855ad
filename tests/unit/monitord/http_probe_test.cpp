#include "monitord/http_probe.hpp"

#include <rapidcheck.h>

#include <cstddef>
#include <string>
#include <vector>

#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::address;
using LineState = StatusLine::State;

TEST_CASE("http: what is no status line is known to be none as soon as possible") {
  auto const bytes = GENERATE(values<std::string>({
      "h",
      "SSH-2.0-OpenSSH_9.2\r\n",
      "http/1.1 200 OK\r\n",
      "HTTP/2.0",
      "HTTP/1.x",
      "HTTP/1.1\t200",
      "HTTP/1.1  200",
      "HTTP/1.1 20 OK",
      "HTTP/1.1 2OO",
      "HTTP/1.1 -20",
      "HTTP/1.1 2000",
      "HTTP/1.1 200x",
      "HTTP/1.1 099 Low\r\n",
      "HTTP/1.1 200 OK\rX: 1\r\n",
      "HTTP/1.1 200 O\r\r\n",
      "\r\nHTTP/1.1 200 OK\r\n",
      "<html>",
  }));
  CHECK(status_line(bytes) == StatusLine{LineState::malformed, 0});
}

TEST_CASE("http: a status line may come byte by byte") {
  std::string const line = "HTTP/1.1 503 Service Unavailable\r\n";
  for (std::size_t size = 0; size < line.size(); ++size) {
    INFO(size);
    CHECK(status_line(line.substr(0, size)) == StatusLine{LineState::incomplete, 0});
  }
  CHECK(status_line(line) == StatusLine{LineState::complete, 503});
  CHECK(status_line(line + "Retry-After: 120\r\n\r\n") == StatusLine{LineState::complete, 503});
}

TEST_CASE("http: servers write it in several ways") {
  auto const [bytes, status] = GENERATE(table<std::string, unsigned>({
      {"HTTP/1.0 200 OK\r\n", 200},
      {"HTTP/1.1 204\r\n", 204},
      {"HTTP/1.1 204 \r\n", 204},
      {"HTTP/1.1 301 Moved\nLocation: /\r\n", 301},
      {"HTTP/1.1 999 Denied\r\n", 999},
      {"HTTP/1.1 200 Gr\xc3\xbc\xc3\x9f\r\n", 200},
  }));
  CHECK(status_line(bytes) == StatusLine{LineState::complete, status});
}

TEST_CASE("http: more bytes never change what was known") {
  REQUIRE(rc::check([] {
    auto const pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "HTTP/1.1", " ", "200", "2", "OK", "\r", "\n", "\r\n", std::string(1, '\0'), "\xff", "x"));
    std::string bytes;
    StatusLine before;
    for (auto const& piece : pieces) {
      bytes += piece;
      auto const line = status_line(bytes);
      if (before.state != LineState::incomplete) RC_ASSERT(line == before);
      RC_ASSERT((line.status >= 100 && line.status <= 999) == (line.state == LineState::complete));
      before = line;
    }
  }));
}

TEST_CASE("http: the request names host and path and asks for the end") {
  ProbeConfig probe;
  probe.kind = ProbeConfig::Kind::http;
  CHECK(http_request(probe, {address("10.0.0.11"), 8080}) ==
        "GET / HTTP/1.1\r\nHost: 10.0.0.11:8080\r\nUser-Agent: monitord\r\nAccept: */*\r\n"
        "Connection: close\r\n\r\n");
  probe.path = "/health?deep=1";
  probe.host = "www.example.org";
  CHECK(http_request(probe, {address("fd00::11"), 80})
            .starts_with("GET /health?deep=1 HTTP/1.1\r\nHost: www.example.org\r\n"));
  probe.host.clear();
  CHECK(http_request(probe, {address("fd00::11"), 80}).find("\r\nHost: [fd00::11]:80\r\n") !=
        std::string::npos);
}
