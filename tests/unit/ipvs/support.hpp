#pragma once

// What the tests of lib/ipvs share: captured messages, values made into the kernel's bytes, and a
// kernel that answers as it is told.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ipvs/codec.hpp"
#include "ipvs/genetlink.hpp"
#include "ipvs/transport.hpp"

namespace lvs::ipvs::test {

/// The messages of tests/fixtures/ipvs/NAME.hex in the kernel's order.
struct Fixture {
  Bytes info{};
  std::vector<Bytes> services{};
  std::vector<Bytes> destinations{};
};
Fixture fixture(std::string_view name);
Bytes bytes_from_hex(std::string_view hex);
std::string hex_from_bytes(ByteView bytes);

/// The nest of a message: the payload of its first attribute.
Bytes nest(ByteView message);
Bytes nested(std::uint16_t type, ByteView payload);

/// As ip_vs_genl_fill_service and ip_vs_genl_fill_dest write them, in their order.
Bytes attributes_from_service(const Service& service);
Bytes attributes_from_destination(const Destination& destination);

/// The attributes of `payload` without those of `type`; with `type` moved to the end.
Bytes without(ByteView payload, int type);
Bytes moved_to_end(ByteView payload, int type);

/// One request as the kernel sees it.
struct Sent {
  std::uint16_t family{};
  std::uint8_t command{};
  bool dump{};
  std::uint32_t sequence{};
  Bytes attributes{};
};

/// A datagram, or the errno of recv.
struct Reply {
  Reply(Bytes bytes) : datagram(std::move(bytes)) {}
  Reply(int error) : error_number(error) {}

  Bytes datagram{};
  int error_number{};  ///< 0: a datagram
};
enum class Mark { none, interrupted };
Bytes entry(std::uint32_t sequence, std::uint8_t command, ByteView attributes,
            Mark mark = Mark::none);
Bytes ack(std::uint32_t sequence, int error_number = 0);
Bytes done(std::uint32_t sequence, Mark mark = Mark::none);
Bytes operator+(Bytes first, const Bytes& second);

/// Answers each request with what `answer` returns; silent when that is nothing.
class ScriptedKernel : public Transport {
 public:
  using Answer = std::function<std::vector<Reply>(const Sent&)>;
  struct Log {
    std::vector<Sent> sent{};
    std::size_t datagrams{};  ///< that these came in
    std::size_t closed{};
    int refusal{};  ///< errno of send; 0: it works
  };

  ScriptedKernel(Answer answer, Log& log) : answer_(std::move(answer)), log_(log) {}

  tl::expected<void, int> send(ByteView datagram) override;
  tl::expected<ByteView, int> receive(Clock::time_point deadline) override;
  void close() override;

 private:
  Answer answer_;
  Log& log_;
  std::deque<Reply> queue_{};
  Bytes current_{};
};

}  // namespace lvs::ipvs::test
