// Probes against listeners on loopback that behave as servers do, and as they should not.

#include "monitord/response_prober.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "monitord/cycle_clock.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using boost::asio::ip::tcp;
using boost::system::error_code;

namespace {

/// A server that accepts, reads a request, writes `reply`, and keeps the connection or not.
struct Server {
  struct Client {
    tcp::socket socket;
    std::array<char, 1024> buffer{};
    std::string request{};
  };
  tcp::acceptor acceptor;
  std::string reply{};
  bool hang_up{};
  std::list<Client> clients{};

  Server(boost::asio::io_context& io, const boost::asio::ip::address& at, std::string what,
         bool hangs_up = false)
      : acceptor(io, tcp::endpoint(at, 0)), reply(std::move(what)), hang_up(hangs_up) {
    accept();
  }
  [[nodiscard]] std::uint16_t port() const { return acceptor.local_endpoint().port(); }

  void accept() {
    acceptor.async_accept([this](error_code failure, tcp::socket socket) {
      if (failure) return;
      read(clients.emplace_back(Client{std::move(socket)}));
      accept();
    });
  }
  void read(Client& client) {
    client.socket.async_read_some(boost::asio::buffer(client.buffer),
                                  [this, &client](error_code failure, std::size_t size) {
                                    if (failure) return;
                                    client.request.append(client.buffer.data(), size);
                                    if (client.request.ends_with("\r\n\r\n")) return write(client);
                                    read(client);
                                  });
  }
  void write(Client& client) {
    boost::asio::async_write(client.socket, boost::asio::buffer(reply),
                             [this, &client](error_code, std::size_t) {
                               error_code ignored;
                               if (hang_up) client.socket.close(ignored);
                             });
  }
};

const auto loopback = boost::asio::ip::address_v4::loopback();

ProbeTarget target_at(std::uint16_t port, bool http, const std::string& at = "127.0.0.1") {
  ProbeTarget made;
  made.key = {service_key("tcp:10.9.9.9:80"), {address(at), port}};
  made.endpoint = {address(at), port};
  if (http) made.request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  made.interval = 100ms;
  made.deadline = 100ms;
  return made;
}

struct Fixture {
  boost::asio::io_context io{};
  ResponseEngine engine{};
  ResponseProber prober{io, engine, boottime_now};

  /// As long as it takes, and no longer: the bound only ends a test that fails.
  void run_until(const std::function<bool()>& done) {
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (!done() && std::chrono::steady_clock::now() < end)
      io.run_one_for(1s);
    REQUIRE(done());
  }
  void probe(const ProbeTarget& target) { prober.begin_cycle(std::vector{target}); }
  /// With a deadline that no answer on loopback misses.
  void probe_patiently(ProbeTarget target) {
    target.deadline = 60s;
    probe(target);
  }
  [[nodiscard]] const ProbeCounters& counters() const { return engine.counters(); }
};

}  // namespace

TEST_CASE("prober: nobody who listens is a refusal") {
  Fixture host;
  tcp::socket const deaf(host.io, tcp::endpoint(loopback, 0));  // has the port, does not listen
  host.probe_patiently(target_at(deaf.local_endpoint().port(), GENERATE(false, true)));
  host.run_until([&] { return host.counters().refused > 0; });
  CHECK(host.engine.take_responses(boottime_now()).empty());
}

TEST_CASE("prober: a server that accepts and never answers runs into the deadline") {
  Fixture host;
  Server mute(host.io, loopback, "");
  auto const target = target_at(mute.port(), true);
  host.probe(target);
  host.run_until([&] { return host.counters().timeouts > 1; });
  CHECK(host.counters().answered == 0);
  auto const responses = host.engine.take_responses(boottime_now());
  CHECK(responses.at(target.key) == Approx(0.1));
  // Given up means closed: the server sees the end of each connection but the open one.
  host.run_until([&] { return mute.clients.size() > 1; });
  auto& first = mute.clients.front();
  host.run_until([&] {
    error_code failure;
    first.socket.non_blocking(true, failure);
    std::array<char, 64> rest{};
    first.socket.read_some(boost::asio::buffer(rest), failure);
    return failure == boost::asio::error::eof || failure == boost::asio::error::connection_reset;
  });
}

TEST_CASE("prober: a trickle without end of line runs into the deadline") {
  Fixture host;
  Server slow(host.io, loopback, "HTTP/1.1 200 O");
  host.probe(target_at(slow.port(), true));
  host.run_until([&] { return host.counters().timeouts > 0; });
  CHECK(host.counters().answered == 0);
}

TEST_CASE("prober: replies that are none are told apart") {
  struct Case {
    std::string reply;
    bool hangs_up;
    std::uint64_t ProbeCounters::*counter;
  };
  auto const [reply, hangs_up, counter] = GENERATE(values<Case>({
      {"", true, &ProbeCounters::bad_reply},
      {"HTTP/1.1 20", true, &ProbeCounters::bad_reply},
      {"220 mail.example.org ESMTP\r\n", false, &ProbeCounters::bad_reply},
      {std::string(100'000, '\0'), false, &ProbeCounters::bad_reply},
      {"HTTP/1.1 200 " + std::string(100'000, 'x'), false, &ProbeCounters::bad_reply},
      {"HTTP/1.1 500 Broken\r\n\r\n", true, &ProbeCounters::bad_status},
  }));
  Fixture host;
  Server server(host.io, loopback, reply, hangs_up);
  host.probe_patiently(target_at(server.port(), true));
  host.run_until([&, counted = counter] { return host.counters().*counted > 0; });
  CHECK(host.counters().answered == 0);
  CHECK(host.engine.take_responses(boottime_now()).empty());
}

TEST_CASE("prober: servers of both families are heard over TCP and HTTP") {
  bool const v6 = GENERATE(false, true);
  bool const http = GENERATE(false, true);
  Fixture host;
  auto const at = v6 ? boost::asio::ip::address(boost::asio::ip::address_v6::loopback())
                     : boost::asio::ip::address(loopback);
  Server server(host.io, at, "HTTP/1.1 200 OK\r\n" + std::string(20'000, 'h'));
  auto const target = target_at(server.port(), http, v6 ? "::1" : "127.0.0.1");
  host.probe_patiently(target);
  host.run_until([&] { return host.counters().answered > 2; });
  CHECK(host.counters().failed() == 0);
  auto const responses = host.engine.take_responses(boottime_now());
  CHECK(responses.at(target.key) > 0);
  if (http) CHECK(server.clients.front().request == target.request);
}

TEST_CASE("prober: a dead server costs the others nothing and places are given on") {
  Fixture host;
  Server mute(host.io, loopback, "");
  // More destinations than places, each address of 127/8 being another one; one of them is mute.
  std::vector<ProbeTarget> targets{target_at(mute.port(), true)};
  Server everywhere(host.io, boost::asio::ip::address_v4::any(), "HTTP/1.1 204 None\r\n\r\n");
  for (int i = 1; i <= 90; ++i) {
    targets.push_back(target_at(everywhere.port(), true, "127.0.1." + std::to_string(i)));
    targets.back().deadline = 60s;
  }
  host.prober.begin_cycle(targets);
  host.run_until([&] { return host.engine.take_responses(boottime_now()).size() == 91; });
  CHECK(host.counters().timeouts > 0);
  CHECK(host.counters().failed() == 0);
}
