// Any bytes as what the kernel sends: framing, services, destinations, and a whole reading of the
// table. The first byte chooses. A destination that was decoded goes back with its weight changed
// and nothing else.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ipvs/codec.hpp"
#include "ipvs/genetlink.hpp"
#include "ipvs/netlink_table.hpp"
#include "require.hpp"

using namespace lvs::ipvs;
using lvs::fuzz::require;

namespace {

constexpr std::size_t header_size = 16;  // struct nlmsghdr: length, type, flags, sequence, pid
constexpr std::size_t sequence_offset = 8;

std::uint32_t word_at(ByteView bytes, std::size_t offset) {
  std::uint32_t word{};
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

void check_weight_change(const Destination& read, Family family) {
  const auto raw = raw_with_weight(read.raw, 7, family);
  require(raw.has_value());
  auto written = destination_from_attributes(*raw, family);
  require(written.has_value());
  require(written->weight == 7);
  written->weight = read.weight;
  written->raw = read.raw;
  require(*written == read);
}

void fuzz_destination(ByteView attributes) {
  for (const auto family : {Family::inet, Family::inet6}) {
    const auto read = destination_from_message(attributes, family);
    if (read) check_weight_change(*read, family);
  }
}

void fuzz_service(ByteView attributes) {
  const auto service = service_from_message(attributes);
  if (service) require(!service_request(service->key).empty());
}

void fuzz_framing(ByteView datagram) {
  const auto messages = messages_from_datagram(datagram);
  if (!messages) return require(!messages.error().empty());
  for (const auto& message : *messages) {
    fuzz_service(message.attributes);
    fuzz_destination(message.attributes);
    static_cast<void>(family_id_from_message(message.attributes));
    static_cast<void>(kernel_info_from_message(message.attributes));
  }
}

/// Answers whatever is asked with the next piece of the input: two bytes of length, then a datagram
/// whose messages get the sequence numbers that were asked with.
class Replay : public Transport {
 public:
  explicit Replay(ByteView input) : input_(input) {}

  tl::expected<void, int> send(ByteView datagram) override {
    asked_.clear();
    while (datagram.size() >= header_size) {
      asked_.push_back(word_at(datagram, sequence_offset));
      const std::size_t padded = (word_at(datagram, 0) + 3U) / 4U * 4U;
      datagram = datagram.subspan(std::min(padded, datagram.size()));
    }
    return {};
  }
  tl::expected<ByteView, int> receive(Clock::time_point) override {
    if (input_.size() < 2) return tl::unexpected(110);  // ETIMEDOUT
    const auto wanted =
        std::to_integer<std::size_t>(input_[0]) + 256 * std::to_integer<std::size_t>(input_[1]);
    input_ = input_.subspan(2);
    const auto piece = input_.first(std::min(wanted, input_.size()));
    input_ = input_.subspan(piece.size());
    current_.assign(piece.begin(), piece.end());
    number_messages();
    return ByteView(current_);
  }
  void close() override {}

 private:
  void number_messages() {
    std::size_t at = 0;
    for (std::size_t number = 0; !asked_.empty() && at + header_size <= current_.size(); ++number) {
      const auto sequence = asked_[std::min(number, asked_.size() - 1)];
      std::memcpy(current_.data() + at + sequence_offset, &sequence, sizeof sequence);
      const std::size_t length = word_at(current_, at);
      if (length < header_size) return;
      at += (length + 3) / 4 * 4;
    }
  }

  ByteView input_;
  Bytes current_{};
  std::vector<std::uint32_t> asked_{};
};

void fuzz_table(ByteView input) {
  NetlinkTable table(std::make_unique<Replay>(input), std::chrono::milliseconds(100));
  const auto services = table.services();
  if (!services) return require(!services.error().message.empty());
  for (const auto& entry : *services) {
    std::vector<WeightWrite> writes;
    for (const auto& destination : entry.destinations) {
      if (writes.size() < batch_limit) writes.push_back({destination, 7});
    }
    if (!writes.empty()) {
      require(table.set_weights(entry.service.key, writes).size() == writes.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(data, size)).subspan(1);
  switch (data[0] % 4) {
    case 0:
      fuzz_framing(rest);
      break;
    case 1:
      fuzz_service(rest);
      break;
    case 2:
      fuzz_destination(rest);
      break;
    default:
      fuzz_table(rest);
  }
  return 0;
}
