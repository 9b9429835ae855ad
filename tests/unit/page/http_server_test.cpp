#include "monitord/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <array>
#include <atomic>
#include <cstring>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "plainfile/file_descriptor.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using lvs::FileDescriptor;
using lvs::monitord::testing::report;
using lvs::testing::ScratchFolder;

namespace {

template <typename Address>
FileDescriptor connected(int family, const Address& address) {
  FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{60, 0};  // a test that waits for nothing has to end
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  const auto* const any = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  REQUIRE(::connect(socket.get(), any, sizeof(address)) == 0);
  return socket;
}

FileDescriptor client_of(const HttpServer& server) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(server.port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connected(AF_INET, address);
}

void say(const FileDescriptor& client, const std::string& text) {
  REQUIRE(::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

/// All that comes until the server closes.
std::string rest_of(const FileDescriptor& client) {
  std::string text;
  std::array<char, 65536> block{};
  while (true) {
    const auto got = ::recv(client.get(), block.data(), block.size(), 0);
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

std::string request(const std::string& line, const std::string& more = "Connection: close\r\n") {
  return line + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

std::string asked(const HttpServer& server, const std::string& text) {
  const auto client = client_of(server);
  say(client, text);
  return rest_of(client);
}

/// Answers with what was asked and the number of the cycle.
HttpAnswer echo(const HttpRequest& request, const Published& published) {
  HttpAnswer answer;
  answer.body = request.method + " " + request.target + " for " + request.host + " in " +
                std::to_string(published.report->cycle);
  return answer;
}

std::shared_ptr<const Published> of_cycle(std::uint64_t number) {
  Published value;
  value.report = std::make_shared<const CycleReport>(report(number));
  return std::make_shared<const Published>(std::move(value));
}

struct Serving {
  HttpServer server;

  explicit Serving(HttpServer::Handler handler = echo) : server(std::move(handler)) {
    REQUIRE(server.open("127.0.0.1:0").has_value());
  }
};

}  // namespace

TEST_CASE("http server: a request is answered with the last value and all headers") {
  Serving serving;
  serving.server.publish(of_cycle(7));
  const auto answer = asked(serving.server, request("GET /x?y=1"));
  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer.ends_with("\r\n\r\nGET /x?y=1 for 127.0.0.1 in 7"));
  CHECK(answer.find("\r\nContent-Security-Policy: default-src 'none';") != std::string::npos);
  CHECK(answer.find("\r\nContent-Type: text/plain; charset=utf-8\r\n") != std::string::npos);
}

TEST_CASE("http server: HEAD has the headers of GET and no body") {
  Serving const serving;
  const auto answer = asked(serving.server, request("HEAD /x"));
  CHECK(answer.ends_with("\r\n\r\n"));
  CHECK(answer.find("\r\nContent-Length: 26\r\n") != std::string::npos);
}

TEST_CASE("http server: a connection serves one request after the other") {
  Serving const serving;
  const auto client = client_of(serving.server);
  say(client, request("GET /1", "") + request("HEAD /2", "") + request("GET /3"));
  const auto answer = rest_of(client);
  CHECK(answer.find("GET /1 for") != std::string::npos);
  CHECK(answer.ends_with("GET /3 for 127.0.0.1 in 0"));
}

TEST_CASE("http server: what is no request is refused and the connection closed") {
  auto [text, status] = GENERATE(table<std::string, std::string>({
      {"hello\r\n\r\n", "400"},
      {"GET /\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nbroken\r\n\r\n", "400"},
      {"GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n\r\n", "431"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n", "431"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "413"},
  }));
  Serving const serving;
  const auto answer = asked(serving.server, text);
  INFO(text.substr(0, 60) << " -> " << answer.substr(0, 60));
  CHECK(answer.starts_with("HTTP/1.1 " + status + " "));
}

TEST_CASE("http server: a client that leaves in the middle costs nothing") {
  Serving const serving;
  { const auto client = client_of(serving.server); }
  {
    const auto client = client_of(serving.server);
    say(client, "GET / HT");
  }
  CHECK(asked(serving.server, request("GET /")).starts_with("HTTP/1.1 200"));
}

TEST_CASE("http server: a page that cannot be made is an error of that request only") {
  Serving const serving([](const HttpRequest& asked_for, const Published& published) {
    if (asked_for.target == "/bad") throw std::runtime_error("no");
    return echo(asked_for, published);
  });
  CHECK(asked(serving.server, request("GET /bad")).starts_with("HTTP/1.1 500"));
  CHECK(asked(serving.server, request("GET /good")).starts_with("HTTP/1.1 200"));
}

TEST_CASE("http server: a page is made once a cycle, however many ask for it") {
  std::atomic<int> made{};
  Serving serving([&made](const HttpRequest& asked_for, const Published& published) {
    ++made;
    return echo(asked_for, published);
  });
  for (int i = 0; i < 5; ++i)
    asked(serving.server, request("GET /"));
  CHECK(made == 1);
  serving.server.publish(of_cycle(1));
  CHECK(asked(serving.server, request("GET /")).ends_with(" in 1"));
  CHECK(made == 2);
}

// The law: no cycle is late because of a reader. The thread that publishes here would hang for ever
// if it waited for the page that is being made, or for those who do not read theirs.
TEST_CASE("http server: publishing waits neither for a page in the making nor for slow readers") {
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<bool> stuck{};
  Serving serving([&](const HttpRequest& asked_for, const Published& published) {
    if (asked_for.target == "/stuck" && !stuck.exchange(true)) {
      begun.set_value();
      go_on.get_future().wait();
    }
    auto answer = echo(asked_for, published);
    if (asked_for.target == "/large") answer.body = std::string(64U << 20U, 'x');
    return answer;
  });
  std::vector<FileDescriptor> slow;
  for (int i = 0; i < 30; ++i) {
    slow.push_back(client_of(serving.server));
    say(slow.back(), request("GET /large"));
  }
  const auto client = client_of(serving.server);
  say(client, request("GET /stuck"));
  begun.get_future().wait();
  for (std::uint64_t number = 1; number <= 1000; ++number)
    serving.server.publish(of_cycle(number));
  go_on.set_value();
  CHECK(rest_of(client).find("GET /stuck for 127.0.0.1 in ") != std::string::npos);
  CHECK(asked(serving.server, request("GET /now")).ends_with(" in 1000"));
}

TEST_CASE("http server: slow readers of many different pages do not fill the memory") {
  std::atomic<int> made{};
  Serving serving([&made](const HttpRequest& asked_for, const Published& published) {
    ++made;
    auto answer = echo(asked_for, published);
    if (asked_for.target.starts_with("/large")) answer.body = std::string(32U << 20U, 'x');
    return answer;
  });
  std::vector<FileDescriptor> slow;
  for (int i = 0; i < 30; ++i) {
    slow.push_back(client_of(serving.server));
    say(slow.back(), request("GET /large?" + std::to_string(i)));
  }
  CHECK(asked(serving.server, request("GET /now")).starts_with("HTTP/1.1 503"));
  CHECK(made <= 4);
  slow.clear();
  serving.server.publish(of_cycle(1));
  std::string answer;
  while (!answer.starts_with("HTTP/1.1 200"))  // until the server has seen that they are gone
    answer = asked(serving.server, request("GET /now"));
  CHECK(answer.ends_with(" in 1"));
}

TEST_CASE("http server: it ends while readers are in the middle of a page") {
  std::vector<FileDescriptor> slow;
  {
    Serving const serving([](const HttpRequest&, const Published&) {
      HttpAnswer answer;
      answer.body = std::string(64U << 20U, 'x');
      return answer;
    });
    for (int i = 0; i < 5; ++i) {
      slow.push_back(client_of(serving.server));
      say(slow.back(), request("GET /"));
      std::array<char, 100> some{};
      REQUIRE(::recv(slow.back().get(), some.data(), some.size(), 0) > 0);
    }
  }
  CHECK(rest_of(slow.front()).size() < (64U << 20U));
}

TEST_CASE("http server: with too many connections whoever comes waits, and is served") {
  Serving const serving;
  std::vector<FileDescriptor> idle;
  for (int i = 0; i < 80; ++i)
    idle.push_back(client_of(serving.server));
  const auto client = client_of(serving.server);
  say(client, request("GET /"));
  idle.clear();
  CHECK(rest_of(client).starts_with("HTTP/1.1 200"));
}

TEST_CASE("http server: a Unix socket is for its owner and group, and goes with the server") {
  ScratchFolder const folder;
  const auto path = folder.file("http.sock");
  {
    HttpServer server(echo);
    REQUIRE(server.open(path).has_value());
    struct stat info {};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777U) == 0660);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const auto client = connected(AF_UNIX, address);
    say(client, request("GET /"));
    CHECK(rest_of(client).starts_with("HTTP/1.1 200"));
    HttpServer second(echo);
    CHECK(second.open(path).error().find("in use") != std::string::npos);
  }
  struct stat info {};
  CHECK(::stat(path.c_str(), &info) != 0);
}

TEST_CASE("http server: a place that is taken or none is an error in one line") {
  Serving const serving;
  HttpServer second(echo);
  const auto place = "127.0.0.1:" + std::to_string(serving.server.port());
  const auto taken = second.open(place);
  REQUIRE_FALSE(taken.has_value());
  CHECK(taken.error() == "no status page at " + place + ": Address already in use");
  CHECK_FALSE(HttpServer(echo).open("nowhere").has_value());
  CHECK_FALSE(HttpServer(echo).open("192.0.2.1:80").has_value());
  CHECK_FALSE(HttpServer(echo).open("/" + std::string(200, 'x')).has_value());
  ScratchFolder const folder;
  const auto file = folder.write("file", "mine");
  CHECK_FALSE(HttpServer(echo).open(file).has_value());
  CHECK(folder.read("file") == "mine");
}
