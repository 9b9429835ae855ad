// PowerDNS's side on a socket of its own, as it does it and as it should not.

#include "monitord/outputs/dns_server.hpp"

#include <sys/stat.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;
using boost::asio::local::stream_protocol;
using boost::system::error_code;

namespace {

struct Client {
  explicit Client(boost::asio::io_context& io) : socket(io) {}

  stream_protocol::socket socket;
  std::array<char, 4096> buffer{};
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
  lvs::testing::ScratchFolder folder{};
  boost::asio::io_context io{};
  std::string path{folder.file("dns.sock")};
  std::vector<std::string> questions{};
  std::unique_ptr<DnsServer> server{made()};
  std::list<Client> clients{};

  Fixture() { REQUIRE(server->open(path).has_value()); }

  std::unique_ptr<DnsServer> made() {
    return std::make_unique<DnsServer>(io, [this](std::string_view line) {
      questions.emplace_back(line);
      return "<" + std::string(line) + ">\n";
    });
  }
  Client& connected() {
    auto& client = clients.emplace_back(io);
    client.socket.connect(stream_protocol::endpoint(path));
    client.read();
    return client;
  }
  static void say(Client& client, const std::string& text) {
    boost::asio::write(client.socket, boost::asio::buffer(text));
  }
  /// Until so much has come, or the end has.
  void run(const Client& client, std::size_t bytes) {
    while (!client.closed && client.got.size() < bytes && io.run_one_for(30s) > 0) {
    }
  }
  void run_to_end(const Client& client) { run(client, std::string::npos); }
};

}  // namespace

TEST_CASE("dns server: a path that cannot be is one line, and what is there is left alone") {
  Fixture host;
  CHECK(host.made()->open("").error().find("1 to 107 bytes") != std::string::npos);
  CHECK(host.made()->open("/" + std::string(200, 'x')).error().find("107") != std::string::npos);
  CHECK(host.made()->open(host.path).error() == "PowerDNS cannot ask for names at " + host.path +
                                                    ": it exists, and is in use or no socket");
  auto const file = host.folder.write("file", "precious");
  CHECK_FALSE(host.made()->open(file).has_value());
  CHECK(host.folder.read("file") == "precious");
}

TEST_CASE("dns server: everybody may connect, and a socket that somebody left is replaced") {
  Fixture host;
  struct stat info {};
  REQUIRE(::stat(host.path.c_str(), &info) == 0);
  CHECK((info.st_mode & 07777U) == 0666U);
  host.server.reset();
  CHECK(::stat(host.path.c_str(), &info) != 0);
  { stream_protocol::acceptor const left(host.io, stream_protocol::endpoint(host.path)); }
  REQUIRE(::stat(host.path.c_str(), &info) == 0);
  auto const next = host.made();
  CHECK(next->open(host.path).has_value());
}

TEST_CASE("dns server: a line that does not end is read so far and no further") {
  Fixture host;
  auto& client = host.connected();
  Fixture::say(client, std::string(5000, 'x'));
  host.run_to_end(client);
  CHECK(client.closed);
  CHECK(client.got.empty());
  CHECK(host.questions.empty());
}

TEST_CASE("dns server: of one user there is a number of connections, and the next is sent away") {
  Fixture host;
  for (std::size_t i = 0; i < DnsServer::of_one_user; ++i)
    host.connected();
  auto& late = host.connected();
  host.run_to_end(late);
  CHECK(late.closed);
  auto& first = host.clients.front();
  Fixture::say(first, "a\n");
  host.run(first, 4);
  CHECK(first.got == "<a>\n");
  // A place that becomes free is somebody else's.
  first.socket.close();
  host.io.run_for(10ms);
  auto& next = host.connected();
  Fixture::say(next, "b\n");
  host.run(next, 4);
  CHECK(next.got == "<b>\n");
}

TEST_CASE("dns server: a client that goes away is nobody's trouble") {
  Fixture host;
  auto& gone = host.connected();
  Fixture::say(gone, "a\nb\nc");
  gone.socket.close();
  auto& next = host.connected();
  Fixture::say(next, "d\n");
  host.run(next, 4);
  CHECK(next.got == "<d>\n");
}

TEST_CASE("dns server: line after line on one connection, in pieces or many at once") {
  Fixture host;
  auto& client = host.connected();
  Fixture::say(client, "on");
  host.io.poll();
  Fixture::say(client, "e\n");
  host.run(client, 6);
  CHECK(client.got == "<one>\n");
  Fixture::say(client, "two\nthree\n\n");
  host.run(client, 23);
  CHECK(client.got == "<one>\n<two>\n<three>\n<>\n");
}

TEST_CASE("dns server: who does not read its answers is not read from, and nobody waits") {
  Fixture host;
  auto& lazy = host.clients.emplace_back(host.io);
  lazy.socket.connect(stream_protocol::endpoint(host.path));
  lazy.socket.non_blocking(true);
  std::string const lines(4000, '\n');
  error_code failure;
  for (int i = 0; i < 2000 && !failure; ++i) {
    lazy.socket.write_some(boost::asio::buffer(lines), failure);
    host.io.poll();
    host.questions.clear();
  }
  CHECK(failure == boost::asio::error::would_block);
  auto& next = host.connected();
  Fixture::say(next, "d\n");
  host.run(next, 4);
  CHECK(next.got == "<d>\n");
}

TEST_CASE("dns server: its end is that of every connection") {
  Fixture host;
  auto& client = host.connected();
  Fixture::say(client, "a\n");
  host.run(client, 4);
  host.server.reset();
  host.run_to_end(client);
  CHECK(client.closed);
}
