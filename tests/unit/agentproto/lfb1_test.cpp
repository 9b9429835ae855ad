#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "agentproto/lfb1.hpp"
#include "agentproto/sample.hpp"
#include "support/catch.hpp"

using namespace lvs::agentproto;

namespace {

using Datagram = std::vector<std::uint8_t>;

Key web1_key() {
  return key_from_hex("5e15753cdc103cdcefa5aaa81a9f877d9177555575b6c5a5100450124fda488a").value();
}

Datagram bytes_from_hex(std::string_view text) {
  Datagram bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string{text.substr(i, 2)}, nullptr, 16)));
  }
  return bytes;
}

/// The documented reply: TLVs 01 to 13, boot time 1 s.
Reply vector_reply() {
  Reply reply{.key_id = 1, .nonce = 0x0123456789abcdef, .name_hash = hash_of_name("web1")};
  reply.sample.boottime_ns = 1'000'000'000;
  for (std::size_t i = 0; i < 16; ++i) {
    reply.sample.boot_id[i] = static_cast<std::uint8_t>(0x11 * i);
  }
  reply.sample.cpu = CpuTimes{.cpus = 4,
                              .user_hz = 100,
                              .user = 1000,
                              .nice = 0,
                              .system = 500,
                              .idle = 90000,
                              .iowait = 800,
                              .irq = 0,
                              .softirq = 20,
                              .steal = 0};
  reply.sample.memory = Memory{.total_kb = 0xfa0000, .available_kb = 0x7d0000};
  reply.sample.pressure = Pressure{.cpu_some_us = 1000, .io_some_us = 2000, .io_full_us = 500};
  reply.sample.run_queue = RunQueue{.load1_x100 = 150, .procs_running = 3, .procs_blocked = 1};
  return reply;
}

Datagram vector_reply_bytes() {
  return bytes_from_hex(
      "4c464231020000ec00000001000000000123456789abcdef000000003b9aca00"
      "0108659a7fb2af476fae021000112233445566778899aabbccddeeff"
      "10440004006400000000000003e8000000000000000000000000000001f40000000000015f90"
      "000000000000032000000000000000000000000000000014000000000000000011200000000000fa0000"
      "00000000007d000000000000000000000000000000000000122800000000000003e80000000000000000"
      "000000000000000000000000000007d000000000000001f4130c000000960000000300000001"
      "0a584b8c8c18d0c9073a89083375a79d");
}

Reply full_reply() {
  Reply reply = vector_reply();
  reply.sample.network =
      Network{.received_bytes = 1, .sent_bytes = 2, .line_rate_bits = 10'000'000'000};
  reply.sample.disk_busy_ms = 77;
  reply.sample.processes = 300;
  reply.sample.cgroup = CgroupLimits{
      .usage_us = 5, .cpus_x1000 = 500, .memory_limit_kb = 1 << 20, .memory_used_kb = 1000};
  return reply;
}

/// A keyless reply around TLV bytes made by hand.
Datagram keyless_reply(const Datagram& tlvs) {
  Datagram bytes = encode_reply(Reply{}, keyless);
  bytes.resize(32);
  bytes.insert(bytes.end(), tlvs.begin(), tlvs.end());
  bytes.resize(bytes.size() + 16);
  bytes[6] = static_cast<std::uint8_t>(bytes.size() >> 8U);
  bytes[7] = static_cast<std::uint8_t>(bytes.size());
  return bytes;
}

Datagram tlv(std::uint8_t type, std::size_t length) {
  Datagram bytes{type, static_cast<std::uint8_t>(length)};
  bytes.resize(2 + length, 0xA5);
  return bytes;
}

Datagram operator+(Datagram left, const Datagram& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

template <typename T>
std::optional<T> maybe(T value) {
  return *rc::gen::arbitrary<bool>() ? std::optional<T>{value} : std::nullopt;
}

std::uint64_t any64() {
  return *rc::gen::arbitrary<std::uint64_t>();
}
std::uint32_t any32() {
  return *rc::gen::arbitrary<std::uint32_t>();
}
std::uint16_t any16() {
  return *rc::gen::arbitrary<std::uint16_t>();
}

Sample any_sample() {
  Sample sample{.boottime_ns = any64(),
                .boot_id = *rc::gen::arbitrary<BootId>(),
                .draining = *rc::gen::arbitrary<bool>(),
                .first = *rc::gen::arbitrary<bool>(),
                .partial = *rc::gen::arbitrary<bool>()};
  sample.cpu = maybe(CpuTimes{any16(), any16(), any64(), any64(), any64(), any64(), any64(),
                              any64(), any64(), any64()});
  sample.memory = maybe(Memory{any64(), any64(), any64(), any64()});
  sample.pressure = maybe(Pressure{any64(), any64(), any64(), any64(), any64()});
  sample.run_queue = maybe(RunQueue{any32(), any32(), any32()});
  sample.network = maybe(Network{any64(), any64(), any64()});
  sample.disk_busy_ms = maybe(any64());
  sample.processes = maybe(any32());
  sample.cgroup = maybe(CgroupLimits{any64(), any64(), any64(), any64()});
  return sample;
}

Reply any_reply() {
  return {.key_id = *rc::gen::inRange<std::uint32_t>(1, 0xFFFFFFFF),
          .nonce = any64(),
          .name_hash = *rc::gen::arbitrary<NameHash>(),
          .sample = any_sample()};
}

}  // namespace

TEST_CASE("lfb1: a request that is not exactly one is refused") {
  const MacKey key{web1_key()};
  const auto good = encode_request({.key_id = 1, .nonce = 7}, key);
  REQUIRE(decode_request(good, key));

  struct Case {
    std::string what;
    std::size_t size;
    std::optional<std::size_t> changed;  ///< offset of a byte that is flipped
    DecodeError error;
  };
  const auto [what, size, changed, error] = GENERATE(values<Case>({
      {"empty", 0, std::nullopt, DecodeError::bad_length},
      {"one byte", 1, std::nullopt, DecodeError::bad_length},
      {"cut off", 511, std::nullopt, DecodeError::bad_length},
      {"a byte too many", 513, std::nullopt, DecodeError::bad_length},
      {"magic", 512, 0, DecodeError::bad_magic},
      {"magic's version", 512, 3, DecodeError::bad_magic},
      {"type", 512, 4, DecodeError::wrong_type},
      {"stated length", 512, 7, DecodeError::bad_length},
      {"flags", 512, 5, DecodeError::bad_mac},
      {"key id", 512, 11, DecodeError::bad_mac},
      {"nonce", 512, 23, DecodeError::bad_mac},
      {"padding", 512, 100, DecodeError::bad_mac},
      {"mac", 512, 511, DecodeError::bad_mac},
  }));
  CAPTURE(what);
  Datagram bytes{good.begin(), good.end()};
  bytes.resize(size);
  if (changed) bytes[*changed] ^= 0x40U;
  const auto decoded = decode_request(bytes, key);
  REQUIRE_FALSE(decoded.has_value());
  CHECK(decoded.error() == error);
}

TEST_CASE("lfb1: the request is the documented one") {
  const MacKey key{web1_key()};
  const Request request{.key_id = 1, .nonce = 0x0123456789abcdef};
  const auto bytes = encode_request(request, key);
  const auto head = bytes_from_hex("4c4642310100020000000001000000000123456789abcdef");
  CHECK(std::equal(head.begin(), head.end(), bytes.begin()));
  CHECK(std::all_of(bytes.begin() + 24, bytes.end() - 16, [](auto byte) { return byte == 0; }));
  CHECK(Datagram{bytes.end() - 16, bytes.end()} ==
        bytes_from_hex("93a426604bc45281c95675fb0e583fd6"));
  CHECK(decode_request(bytes, key).value() == request);
  CHECK(peek_request(bytes).value() == request);
}

TEST_CASE("lfb1: the reply is the documented one") {
  const MacKey key{web1_key()};
  CHECK(encode_reply(vector_reply(), key) == vector_reply_bytes());
  CHECK(decode_reply(vector_reply_bytes(), key, hash_of_name("web1")).value() == vector_reply());
  CHECK(peek_reply(vector_reply_bytes()).value() ==
        Request{.key_id = 1, .nonce = 0x0123456789abcdef});
}

TEST_CASE("lfb1: a reply with everything is 312 bytes") {
  const MacKey key{web1_key()};
  const auto bytes = encode_reply(full_reply(), key);
  CHECK(bytes.size() == 312);
  CHECK(decode_reply(bytes, key, std::nullopt).value() == full_reply());
}

TEST_CASE("lfb1: a reply cut off at any byte is refused") {
  const MacKey key{web1_key()};
  const auto bytes = encode_reply(full_reply(), key);
  const auto open = encode_reply(full_reply(), keyless);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(decode_reply(Bytes{bytes}.first(size), key, std::nullopt));
    CHECK_FALSE(decode_reply(Bytes{open}.first(size), keyless, std::nullopt));
  }
}

TEST_CASE("lfb1: a reply with any bit flipped is refused") {
  const MacKey key{web1_key()};
  auto bytes = encode_reply(full_reply(), key);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    CHECK_FALSE(decode_reply(bytes, key, std::nullopt));
    bytes[bit / 8] ^= mask;
  }
  CHECK(decode_reply(bytes, key, std::nullopt));
}

TEST_CASE("lfb1: malformed content is refused and unknown content skipped") {
  struct Case {
    std::string what;
    Datagram tlvs;
    std::optional<DecodeError> error;
  };
  const auto [what, tlvs, error] = GENERATE(values<Case>({
      {"type without length", {0x10}, DecodeError::malformed_tlv},
      {"value cut off", {0x16, 4, 0, 0}, DecodeError::malformed_tlv},
      {"unknown value cut off", {0x77, 200, 1}, DecodeError::malformed_tlv},
      {"cpu too short", tlv(0x10, 67), DecodeError::malformed_tlv},
      {"cpu too long", tlv(0x10, 69), DecodeError::malformed_tlv},
      {"empty boot id", tlv(0x02, 0), DecodeError::malformed_tlv},
      {"memory twice", tlv(0x11, 32) + tlv(0x11, 32), DecodeError::malformed_tlv},
      {"nothing", {}, std::nullopt},
      {"padding", {0, 0, 0, 0}, std::nullopt},
      {"a gauge", tlv(0x20, 17), std::nullopt},
      {"unknown twice", tlv(0x77, 3) + tlv(0x77, 3), std::nullopt},
      {"unknown before known", tlv(0xFF, 255) + tlv(0x16, 4), std::nullopt},
  }));
  CAPTURE(what);
  const auto decoded = decode_reply(keyless_reply(tlvs), keyless, std::nullopt);
  if (error) {
    REQUIRE_FALSE(decoded.has_value());
    CHECK(decoded.error() == *error);
  } else {
    CHECK(decoded.has_value());
  }
}

TEST_CASE("lfb1: a reply of another agent or of none is refused") {
  const auto expected = hash_of_name("web1");
  auto other = full_reply();
  other.name_hash = hash_of_name("web2");
  CHECK(decode_reply(encode_reply(other, keyless), keyless, expected).error() ==
        DecodeError::wrong_name);
  CHECK(decode_reply(keyless_reply({}), keyless, expected).error() == DecodeError::wrong_name);
  CHECK(decode_reply(keyless_reply({}), keyless, NameHash{}).error() == DecodeError::wrong_name);
  CHECK(decode_reply(encode_reply(other, keyless), keyless, std::nullopt));
}

TEST_CASE("lfb1: keyed and keyless sides drop each other") {
  const MacKey key{web1_key()};
  const auto keyed = encode_request({.key_id = 1, .nonce = 7}, key);
  const auto open = encode_request(7, keyless);
  CHECK(decode_request(open, keyless).value() == Request{.key_id = 0, .nonce = 7});
  CHECK(decode_request(open, key).error() == DecodeError::bad_mac);
  CHECK(decode_request(keyed, keyless).error() == DecodeError::bad_mac);
  // Even a right MAC does not make key id 0 a key.
  CHECK(decode_request(encode_request({.key_id = 0, .nonce = 7}, key), key).error() ==
        DecodeError::bad_mac);
  CHECK(decode_reply(encode_reply(full_reply(), keyless), key, std::nullopt).error() ==
        DecodeError::bad_mac);
  CHECK(decode_reply(encode_reply(full_reply(), key), keyless, std::nullopt).error() ==
        DecodeError::bad_mac);
}

TEST_CASE("lfb1: a request is no reply and a reply no request") {
  const MacKey key{web1_key()};
  const auto request = encode_request({.key_id = 1, .nonce = 7}, key);
  CHECK(decode_reply(request, key, std::nullopt).error() == DecodeError::wrong_type);
  CHECK(decode_request(encode_reply(full_reply(), key), key).error() == DecodeError::bad_length);
}

TEST_CASE("lfb1: the reserved field is ignored on read") {
  auto bytes = keyless_reply({});
  bytes[12] = 0xFF;
  CHECK(decode_reply(bytes, keyless, std::nullopt));
}

TEST_CASE("lfb1: every reply survives a round trip and fits") {
  const MacKey key{web1_key()};
  REQUIRE(rc::check([&key] {
    const Reply reply = any_reply();
    const auto bytes = encode_reply(reply, key);
    RC_ASSERT(bytes.size() <= max_reply_size);
    const auto decoded = decode_reply(bytes, key, reply.name_hash);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(*decoded == reply);
  }));
}

TEST_CASE("lfb1: arbitrary TLV bytes never get past the lengths of known types") {
  REQUIRE(rc::check([] {
    auto tlvs = *rc::gen::arbitrary<Datagram>();
    tlvs.resize(std::min<std::size_t>(tlvs.size(), max_reply_size - 48));
    const auto decoded = decode_reply(keyless_reply(tlvs), keyless, std::nullopt);
    if (!decoded) {
      RC_ASSERT(decoded.error() == DecodeError::malformed_tlv);
      return;
    }
    const auto again = decode_reply(encode_reply(*decoded, keyless), keyless, std::nullopt);
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == *decoded);
  }));
}
