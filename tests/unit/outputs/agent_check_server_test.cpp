// HAProxy's side on a socket of its own, as it does it and as it should not.

#include "monitord/outputs/agent_check_server.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using boost::system::error_code;

namespace {

struct Client {
  explicit Client(boost::asio::io_context& io) : socket(io) {}

  tcp::socket socket;
  std::array<char, 256> buffer{};
  std::string got{};
  bool closed{};

  void read() {
    socket.async_read_some(boost::asio::buffer(buffer),
                           [this](error_code failure, std::size_t size) {
                             got.append(buffer.data(), size);
                             closed = bool(failure);
                             if (!closed) read();
                           });
  }
};

struct Fixture {
  boost::asio::io_context io{};
  std::vector<std::string> questions{};
  unsigned slow{};
  std::unique_ptr<AgentCheckServer> server{std::make_unique<AgentCheckServer>(
      io, AgentCheckServer::Handlers{[this](std::string_view line) {
                                       questions.emplace_back(line);
                                       return std::string("up 37%\n");
                                     },
                                     [this] {
                                       ++slow;
                                       return std::string("slow\n");
                                     }})};
  std::list<Client> clients{};

  Fixture() { REQUIRE(server->open("127.0.0.1:0").has_value()); }

  Client& connected() {
    auto& client = clients.emplace_back(io);
    client.socket.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                                        static_cast<unsigned short>(server->port())));
    client.read();
    return client;
  }
  Client& asking(const std::string& text) {
    auto& client = connected();
    boost::asio::write(client.socket, boost::asio::buffer(text));
    return client;
  }
  /// Runs until the client has seen the end. Something must come, else the test would hang.
  void run(const Client& client) {
    while (!client.closed && io.run_one_for(30s) > 0) {
    }
  }
};

}  // namespace

TEST_CASE("agent check: a place that is none, or taken, is one line") {
  Fixture host;
  AgentCheckServer other(host.io, {});
  CHECK(other.open("localhost:1").error().find("ADDRESS:PORT") != std::string::npos);
  AgentCheckServer same(host.io, {});
  auto const taken = same.open("127.0.0.1:" + std::to_string(host.server->port()));
  REQUIRE_FALSE(taken.has_value());
  CHECK(taken.error().starts_with("HAProxy cannot ask for weights at 127.0.0.1:"));
}

TEST_CASE("agent check: a line is answered and the connection closed") {
  Fixture host;
  auto& client = host.asking("be/s1\n");
  host.run(client);
  CHECK(client.got == "up 37%\n");
  CHECK(host.questions == std::vector<std::string>{"be/s1\n"});
  CHECK(host.slow == 0);
}

TEST_CASE("agent check: a line in pieces is one question") {
  Fixture host;
  auto& client = host.asking("be");
  host.io.poll();
  boost::asio::write(client.socket, boost::asio::buffer("/s1\n", 4));
  host.run(client);
  CHECK(host.questions == std::vector<std::string>{"be/s1\n"});
}

TEST_CASE("agent check: whoever says no more has said all") {
  Fixture host;
  auto& client = host.asking("be/s1");
  client.socket.shutdown(tcp::socket::shutdown_send);
  host.run(client);
  CHECK(client.got == "up 37%\n");
}

TEST_CASE("agent check: a question without an end is read so far and no further") {
  Fixture host;
  auto& client = host.asking(std::string(4096, 'x'));
  host.run(client);
  REQUIRE(host.questions.size() == 1);
  CHECK(host.questions[0].size() <= 256);
}

TEST_CASE("agent check: whoever does not end the line is answered all the same, after a second") {
  Fixture host;
  auto& silent = host.connected();
  auto& half = host.asking("be/s1");
  auto& asking = host.asking("be/s1\n");
  host.run(asking);
  CHECK(asking.got == "up 37%\n");  // nobody waits for the others
  host.run(silent);
  host.run(half);
  CHECK(silent.got == "slow\n");
  CHECK(half.got == "slow\n");
  CHECK(host.slow == 2);
}

TEST_CASE("agent check: a client that goes away is nobody's trouble") {
  Fixture host;
  auto& client = host.asking("be/s1\n");
  client.socket.close();
  auto& next = host.asking("be/s2\n");
  host.run(next);
  CHECK(next.got == "up 37%\n");
}

TEST_CASE("agent check: a server that is closed answers nobody, and its port is free") {
  Fixture host;
  auto& client = host.connected();
  auto const port = host.server->port();
  host.io.poll();
  host.server.reset();
  boost::asio::write(client.socket, boost::asio::buffer("be/s1\n", 6));
  host.run(client);
  CHECK(client.got.empty());
  CHECK(host.questions.empty());
  AgentCheckServer next(host.io, {});
  CHECK(next.open("127.0.0.1:" + std::to_string(port)).has_value());
}

TEST_CASE("agent check: more clients than there are places are served in turn") {
  Fixture host;
  for (int i = 0; i < 300; ++i)
    host.asking("be/s" + std::to_string(i) + "\n");
  for (auto const& client : host.clients)
    host.run(client);
  CHECK(host.questions.size() == 300);
}
