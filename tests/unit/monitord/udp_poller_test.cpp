#include "monitord/udp_poller.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <boost/asio/ip/udp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "agentproto/lfb1.hpp"
#include "director.hpp"
#include "monitord/cycle_clock.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;
using boost::asio::ip::udp;
using lvs::monitord::testing::address;

namespace {

agentproto::Key master() {
  agentproto::Key key{};
  key.fill(1);
  return key;
}

/// A real agent's wire behaviour on a loopback port; `answer` says what to send back.
struct Responder {
  using Answer = std::function<std::vector<std::uint8_t>(agentproto::Bytes request)>;

  udp::socket socket;
  udp::endpoint from{};
  std::array<std::uint8_t, 1024> buffer{};
  Answer answer;
  int asked{};

  Responder(boost::asio::io_context& io, const boost::asio::ip::address& at, Answer what)
      : socket(io, udp::endpoint(at, 0)), answer(std::move(what)) {
    listen();
  }
  [[nodiscard]] std::uint16_t port() const { return socket.local_endpoint().port(); }
  void listen() {
    socket.async_receive_from(boost::asio::buffer(buffer), from,
                              [this](boost::system::error_code failure, std::size_t size) {
                                if (failure) return;
                                ++asked;
                                auto const bytes = answer(agentproto::Bytes(buffer).first(size));
                                if (!bytes.empty()) {
                                  boost::system::error_code unsent;
                                  socket.send_to(boost::asio::buffer(bytes), from, 0, unsent);
                                }
                                listen();
                              });
  }
};

std::vector<std::uint8_t> good_reply(agentproto::Bytes request, const std::string& name) {
  agentproto::MacKey const key(agentproto::agent_key(master(), name));
  auto const asked = agentproto::decode_request(request, key).value();
  agentproto::Sample sample;
  sample.boottime_ns = 1;
  sample.memory = agentproto::Memory{1000, 250, 0, 0};
  return agentproto::encode_reply({1, asked.nonce, agentproto::hash_of_name(name), sample}, key);
}

std::vector<std::uint8_t> silence(agentproto::Bytes) {
  return {};
}

Agent agent_at(const ipvs::IpAddress& server, const ipvs::IpAddress& at, std::uint16_t port) {
  return {server, {at, port}, ipvs::string_from_ip_address(server)};
}

struct Fixture {
  boost::asio::io_context io{};
  PollEngine engine{{2s, 500ms, false, {{1, master()}}},
                    [next = std::uint64_t{1}]() mutable { return next++; }};

  /// As long as it takes, and no longer: the bound only ends a test that fails.
  void run_until(const std::function<bool()>& done) {
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (!done() && std::chrono::steady_clock::now() < end)
      io.run_one_for(1s);
    REQUIRE(done());
  }
};

}  // namespace

TEST_CASE("poller: agents of both families are asked and heard") {
  Fixture poll;
  Responder v4(poll.io, boost::asio::ip::address_v4::loopback(),
               [](agentproto::Bytes request) { return good_reply(request, "10.0.0.11"); });
  Responder v6(poll.io, boost::asio::ip::address_v6::loopback(),
               [](agentproto::Bytes request) { return good_reply(request, "fd00::12"); });
  UdpPoller poller(poll.io, poll.engine, boottime_now);
  REQUIRE(poller.problems().empty());
  poller.begin_cycle(std::vector{agent_at(address("10.0.0.11"), address("127.0.0.1"), v4.port()),
                                 agent_at(address("fd00::12"), address("::1"), v6.port())});
  poll.run_until([&] { return poll.engine.readings().size() == 2; });
  CHECK(poll.engine.readings().at(address("fd00::12")).mem_available.value() == Approx(0.25));
}

TEST_CASE("poller: case 27 a silent agent is asked again and costs the others nothing") {
  Fixture poll;
  Responder mute(poll.io, boost::asio::ip::address_v4::loopback(), silence);
  Responder good(poll.io, boost::asio::ip::address_v4::loopback(),
                 [](agentproto::Bytes request) { return good_reply(request, "10.0.0.12"); });
  UdpPoller poller(poll.io, poll.engine, boottime_now);
  poller.begin_cycle(
      std::vector{agent_at(address("10.0.0.11"), address("127.0.0.1"), mute.port()),
                  agent_at(address("10.0.0.12"), address("127.0.0.1"), good.port())});
  poll.run_until([&] { return poll.engine.counters().timeouts > 0 && good.asked > 0; });
  poll.run_until([&] { return poll.engine.readings().contains(address("10.0.0.12")); });
  CHECK(mute.asked == 2);
  CHECK_FALSE(poll.engine.readings().contains(address("10.0.0.11")));
}

TEST_CASE("poller: an oversized datagram and an agent that is not there are survived") {
  Fixture poll;
  Responder huge(poll.io, boost::asio::ip::address_v4::loopback(),
                 [](agentproto::Bytes) { return std::vector<std::uint8_t>(9000, 'L'); });
  UdpPoller poller(poll.io, poll.engine, boottime_now);
  // Nobody listens on port 1: the kernel answers with an ICMP error.
  poller.begin_cycle(std::vector{agent_at(address("10.0.0.11"), address("127.0.0.1"), huge.port()),
                                 agent_at(address("10.0.0.12"), address("127.0.0.1"), 1)});
  poll.run_until([&] { return poll.engine.counters().timeouts >= 2; });
  CHECK(poll.engine.counters().bad_length >= 1);
  CHECK(poll.engine.readings().empty());
}
