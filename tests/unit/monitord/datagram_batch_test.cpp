#include "monitord/datagram_batch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::address;

namespace {

/// A UDP socket on a free port of `at`, read without waiting.
class Socket {
 public:
  explicit Socket(const Endpoint& at) : file_(::socket(family_of(at), SOCK_DGRAM, 0)) {
    sockaddr_storage name{};
    auto size = socket_address_from_endpoint(at, name);
    REQUIRE(::bind(file_, reinterpret_cast<const sockaddr*>(&name), size) == 0);
    size = sizeof(name);
    REQUIRE(::getsockname(file_, reinterpret_cast<sockaddr*>(&name), &size) == 0);
    endpoint_ = endpoint_from_socket_address(name);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(file_); }

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  static int family_of(const Endpoint& at) { return static_cast<int>(at.address.family); }

  int file_;
  Endpoint endpoint_{};
};

using Texts = std::vector<std::vector<std::uint8_t>>;

std::vector<std::pair<Endpoint, std::vector<std::uint8_t>>> all_received(const Socket& socket) {
  ReceiveBatch batch;
  std::vector<std::pair<Endpoint, std::vector<std::uint8_t>>> received;
  while (
      batch.receive(socket.file(), [&](const Endpoint& from, std::span<const std::uint8_t> bytes) {
        received.emplace_back(from, std::vector(bytes.begin(), bytes.end()));
      }) > 0) {
  }
  return received;
}

Texts numbered(std::size_t count) {
  Texts texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.emplace_back(1 + i % 7, static_cast<std::uint8_t>(i));
  return texts;
}

}  // namespace

TEST_CASE("batch: more datagrams than a call takes arrive whole and in order, in both families") {
  const auto* const loopback = GENERATE("127.0.0.1", "::1");
  const Socket sender({address(loopback), 0});
  const Socket receiver({address(loopback), 0});
  const auto sent = numbered(2 * datagrams_a_call + 3);
  SendBatch batch(sender.file());
  for (const auto& text : sent)
    batch.add(receiver.endpoint(), text);
  batch.flush();
  const auto received = all_received(receiver);
  REQUIRE(received.size() == sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    CHECK(received[i].first == sender.endpoint());
    CHECK(received[i].second == sent[i]);
  }
}

TEST_CASE("batch: what cannot be sent does not keep the others back") {
  const Socket sender({address("127.0.0.1"), 0});
  const Socket receiver({address("127.0.0.1"), 0});
  const auto texts = numbered(4);
  SendBatch batch(sender.file());
  batch.add({address("255.255.255.255"), 9}, texts[0]);  // EACCES: no SO_BROADCAST
  batch.add(receiver.endpoint(), texts[1]);
  batch.add({address("255.255.255.255"), 9}, texts[2]);
  batch.add(receiver.endpoint(), texts[3]);
  batch.flush();
  const auto received = all_received(receiver);
  REQUIRE(received.size() == 2);
  CHECK(received[0].second == texts[1]);
  CHECK(received[1].second == texts[3]);
}

TEST_CASE("batch: a socket that is not there sends and receives nothing") {
  const auto texts = numbered(1);
  SendBatch nowhere;
  nowhere.add({address("127.0.0.1"), 9}, texts[0]);
  nowhere.flush();
  ReceiveBatch batch;
  CHECK(batch.receive(-1, [](const Endpoint&, std::span<const std::uint8_t>) { FAIL(); }) == 0);
}

TEST_CASE("batch: a datagram longer than any reply is seen as too long") {
  const Socket sender({address("127.0.0.1"), 0});
  const Socket receiver({address("127.0.0.1"), 0});
  const std::vector<std::uint8_t> text(9000, 'L');
  SendBatch batch(sender.file());
  batch.add(receiver.endpoint(), text);
  batch.flush();
  const auto received = all_received(receiver);
  REQUIRE(received.size() == 1);
  CHECK(received[0].second.size() == ReceiveBatch::most_bytes);
}
