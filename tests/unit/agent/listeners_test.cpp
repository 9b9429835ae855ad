// Sockets on the loopback interface.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "realserver-agent/responder/listeners.hpp"
#include "realserver-agent/responder/udp_socket.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;

namespace {

lvs::ipvs::IpAddress address(const char* text) {
  return lvs::ipvs::ip_address_from_string(text).value();
}

/// An asker with a connected socket: it sees replies only from the address that it asked.
class Asker {
 public:
  Asker(const char* to, std::uint16_t port) : fd_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(port);
    REQUIRE(::inet_pton(AF_INET, to, &peer.sin_addr) == 1);
    REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0);
  }
  ~Asker() { ::close(fd_); }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  void send(const std::vector<std::uint8_t>& bytes) const {
    REQUIRE(::send(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] std::string receive() const {
    char buffer[2048];
    const ssize_t size = ::recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
    return size < 0 ? "" : std::string(buffer, static_cast<std::size_t>(size));
  }

 private:
  int fd_;
};

}  // namespace

TEST_CASE("udp socket: an address that is taken is an error") {
  const auto first = UdpSocket::bind(address("127.0.0.1"), 0);
  REQUIRE(first.has_value());
  CHECK(UdpSocket::bind(address("127.0.0.1"), first->port()).error() == EADDRINUSE);
}

TEST_CASE("udp socket: an address that is not there yet can be listened on") {
  CHECK(UdpSocket::bind(address("192.0.2.77"), 0).has_value());
}

TEST_CASE("udp socket: the reply leaves from the address that was asked") {
  auto socket = UdpSocket::bind(address("0.0.0.0"), 0);
  REQUIRE(socket.has_value());
  CHECK_FALSE(socket->receive().has_value());
  const Asker asker{"127.0.0.5", socket->port()};
  asker.send({1, 2, 3});
  const auto received = socket->receive();
  REQUIRE(received.has_value());
  CHECK(received->bytes.size() == 3);
  CHECK(received->peer.source == address("127.0.0.1"));
  CHECK(received->peer.asked == address("127.0.0.5"));
  const std::vector<std::uint8_t> reply{'o', 'k'};
  CHECK(socket->send(reply, received->peer));
  CHECK(asker.receive() == "ok");
}

TEST_CASE("udp socket: an oversized datagram stays longer than any request") {
  auto socket = UdpSocket::bind(address("127.0.0.1"), 0);
  REQUIRE(socket.has_value());
  const Asker asker{"127.0.0.1", socket->port()};
  asker.send(std::vector<std::uint8_t>(5000));
  CHECK(socket->receive()->bytes.size() > 512);
}

TEST_CASE("udp socket: IPv6 replies leave from the address that was asked") {
  auto socket = UdpSocket::bind(address("::1"), 0);
  if (!socket) {
    // A kernel without IPv6 has to say so.
    REQUIRE((socket.error() == EAFNOSUPPORT || socket.error() == EADDRNOTAVAIL));
    return;
  }
  auto asker = UdpSocket::bind(address("::1"), 0);
  REQUIRE(asker.has_value());
  Peer to{.source = address("::1"), .asked = address("::1")};
  auto* const in = reinterpret_cast<sockaddr_in6*>(&to.address);
  in->sin6_family = AF_INET6;
  in->sin6_port = htons(socket->port());
  in->sin6_addr = in6addr_loopback;
  const std::vector<std::uint8_t> bytes{7};
  REQUIRE(asker->send(bytes, to));
  const auto received = socket->receive();
  REQUIRE(received.has_value());
  CHECK(received->peer.source == address("::1"));
  CHECK(received->peer.asked == address("::1"));
  REQUIRE(socket->send(bytes, received->peer));
  CHECK(asker->receive()->bytes.size() == 1);
}

TEST_CASE("listeners: what is open stays and what is not wanted is closed") {
  const auto free_port = [] { return UdpSocket::bind(address("127.0.0.1"), 0)->port(); }();
  Listeners listeners;
  REQUIRE(listeners.set({address("127.0.0.1"), address("127.0.0.2")}, free_port));
  REQUIRE(listeners.sockets().size() == 2);
  const int kept = listeners.sockets().at({address("127.0.0.2"), free_port}).fd();

  REQUIRE(listeners.set({address("127.0.0.2"), address("127.0.0.3")}, free_port));
  CHECK(listeners.sockets().size() == 2);
  CHECK(listeners.sockets().at({address("127.0.0.2"), free_port}).fd() == kept);
  CHECK_FALSE(listeners.sockets().contains({address("127.0.0.1"), free_port}));
}

TEST_CASE("listeners: a failure changes nothing and names the address") {
  const auto taken = UdpSocket::bind(address("127.0.0.9"), 0);
  REQUIRE(taken.has_value());
  Listeners listeners;
  REQUIRE(listeners.set({address("127.0.0.1")}, taken->port()));
  const auto done = listeners.set({address("127.0.0.2"), address("127.0.0.9")}, taken->port());
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error().find("127.0.0.9") != std::string::npos);
  CHECK(listeners.sockets().size() == 1);
  CHECK(listeners.sockets().contains({address("127.0.0.1"), taken->port()}));
}
