#include "agentproto/lfb1.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "agentproto/lfb1_sample.hpp"
#include "agentproto/wire.hpp"

namespace lvs::agentproto {
namespace {

constexpr std::array<std::uint8_t, 4> magic{'L', 'F', 'B', '1'};
constexpr std::size_t head_size = 32;
constexpr std::size_t mac_size = std::tuple_size_v<Mac>;
constexpr std::size_t length_offset = 6;

enum class Type : std::uint8_t { request = 1, reply = 2 };

namespace flag {
constexpr unsigned draining = 1U << 0U;
constexpr unsigned first = 1U << 1U;
constexpr unsigned partial = 1U << 2U;
}  // namespace flag

struct Head {
  unsigned flags{};
  std::uint32_t key_id{};
  std::uint64_t nonce{};
  std::uint64_t boottime_ns{};
};

std::uint8_t flags_of(const Sample& sample) {
  unsigned flags = 0;
  if (sample.draining) flags |= flag::draining;
  if (sample.first) flags |= flag::first;
  if (sample.partial) flags |= flag::partial;
  return static_cast<std::uint8_t>(flags);
}

void append_head(Writer& out, Type type, const Head& head) {
  out.bytes(magic);
  out.integer(static_cast<std::uint8_t>(type));
  out.integer(static_cast<std::uint8_t>(head.flags));
  out.integer(std::uint16_t{0});  // the length, when it is known
  out.integer(head.key_id);
  out.integer(std::uint32_t{0});
  out.integer(head.nonce);
  out.integer(head.boottime_ns);
}

/// `key` null: keyless.
void append_mac(Writer& out, const MacKey* key) {
  out.overwrite(length_offset, static_cast<std::uint16_t>(out.size() + mac_size));
  out.bytes(key != nullptr ? key->mac(out.data()) : Mac{});
}

RequestBytes encode_any_request(const Request& request, const MacKey* key) {
  Writer out;
  append_head(out, Type::request, {.key_id = request.key_id, .nonce = request.nonce});
  out.zeros(request_size - mac_size - out.size());
  append_mac(out, key);
  RequestBytes bytes{};
  std::ranges::copy(out.data(), bytes.begin());
  return bytes;
}

std::vector<std::uint8_t> encode_any_reply(const Reply& reply, std::uint32_t key_id,
                                           const MacKey* key) {
  Writer out;
  append_head(out, Type::reply,
              {.flags = flags_of(reply.sample),
               .key_id = key_id,
               .nonce = reply.nonce,
               .boottime_ns = reply.sample.boottime_ns});
  append_tlvs(out, reply);
  append_mac(out, key);
  return out.data();
}

bool has_fitting_length(Type type, std::size_t size) {
  if (type == Type::request) return size == request_size;
  return size >= head_size + mac_size && size <= max_reply_size;
}

tl::expected<Head, DecodeError> head_from(Bytes datagram, Type type) {
  if (!has_fitting_length(type, datagram.size())) return tl::unexpected(DecodeError::bad_length);
  Reader in{datagram};
  if (in.array<4>() != magic) return tl::unexpected(DecodeError::bad_magic);
  const auto stated_type = in.integer<std::uint8_t>();
  const auto flags = in.integer<std::uint8_t>();
  if (in.integer<std::uint16_t>() != datagram.size()) {
    return tl::unexpected(DecodeError::bad_length);
  }
  if (stated_type != static_cast<std::uint8_t>(type)) {
    return tl::unexpected(DecodeError::wrong_type);
  }
  Head head{.flags = flags};
  head.key_id = in.integer<std::uint32_t>();
  in.take(sizeof(std::uint32_t));
  head.nonce = in.integer<std::uint64_t>();
  head.boottime_ns = in.integer<std::uint64_t>();
  return head;
}

/// Keyless and keyed never mix: each side drops the other's datagrams.
bool is_authentic(Bytes datagram, const Head& head, const MacKey* key) {
  const Bytes mac = datagram.last(mac_size);
  if (key == nullptr) return head.key_id == 0 && std::ranges::equal(mac, Mac{});
  return head.key_id != 0 && key->verify(datagram.first(datagram.size() - mac_size), mac);
}

tl::expected<Request, DecodeError> peek(Bytes datagram, Type type) {
  return head_from(datagram, type).map([](const Head& head) {
    return Request{.key_id = head.key_id, .nonce = head.nonce};
  });
}

tl::expected<Request, DecodeError> decode_any_request(Bytes datagram, const MacKey* key) {
  const auto head = head_from(datagram, Type::request);
  if (!head) return tl::unexpected(head.error());
  if (!is_authentic(datagram, *head, key)) return tl::unexpected(DecodeError::bad_mac);
  return Request{.key_id = head->key_id, .nonce = head->nonce};
}

tl::expected<Reply, DecodeError> decode_any_reply(Bytes datagram, const MacKey* key,
                                                  std::optional<NameHash> expected_name) {
  const auto head = head_from(datagram, Type::reply);
  if (!head) return tl::unexpected(head.error());
  if (!is_authentic(datagram, *head, key)) return tl::unexpected(DecodeError::bad_mac);

  Reply reply{.key_id = head->key_id, .nonce = head->nonce};
  reply.sample.boottime_ns = head->boottime_ns;
  reply.sample.draining = (head->flags & flag::draining) != 0;
  reply.sample.first = (head->flags & flag::first) != 0;
  reply.sample.partial = (head->flags & flag::partial) != 0;

  const Bytes tlvs = datagram.subspan(head_size, datagram.size() - head_size - mac_size);
  bool has_name = false;
  if (!read_tlvs(tlvs, reply, has_name)) return tl::unexpected(DecodeError::malformed_tlv);

  if (expected_name && (!has_name || reply.name_hash != *expected_name)) {
    return tl::unexpected(DecodeError::wrong_name);
  }
  return reply;
}

}  // namespace

std::string_view string_from_decode_error(DecodeError error) {
  switch (error) {
    case DecodeError::bad_length:
      return "wrong length";
    case DecodeError::bad_magic:
      return "not LFB1";
    case DecodeError::wrong_type:
      return "wrong message type";
    case DecodeError::bad_mac:
      return "wrong MAC";
    case DecodeError::malformed_tlv:
      return "malformed content";
    case DecodeError::wrong_name:
      return "answer of another agent";
  }
  return "unknown";
}

RequestBytes encode_request(const Request& request, const MacKey& key) {
  return encode_any_request(request, &key);
}

RequestBytes encode_request(std::uint64_t nonce, Keyless) {
  return encode_any_request({.key_id = 0, .nonce = nonce}, nullptr);
}

tl::expected<Request, DecodeError> peek_request(Bytes datagram) {
  return peek(datagram, Type::request);
}

tl::expected<Request, DecodeError> decode_request(Bytes datagram, const MacKey& key) {
  return decode_any_request(datagram, &key);
}

tl::expected<Request, DecodeError> decode_request(Bytes datagram, Keyless) {
  return decode_any_request(datagram, nullptr);
}

std::vector<std::uint8_t> encode_reply(const Reply& reply, const MacKey& key) {
  return encode_any_reply(reply, reply.key_id, &key);
}

std::vector<std::uint8_t> encode_reply(const Reply& reply, Keyless) {
  return encode_any_reply(reply, 0, nullptr);
}

tl::expected<Request, DecodeError> peek_reply(Bytes datagram) {
  return peek(datagram, Type::reply);
}

tl::expected<Reply, DecodeError> decode_reply(Bytes datagram, const MacKey& key,
                                              std::optional<NameHash> expected_name) {
  return decode_any_reply(datagram, &key, expected_name);
}

tl::expected<Reply, DecodeError> decode_reply(Bytes datagram, Keyless,
                                              std::optional<NameHash> expected_name) {
  return decode_any_reply(datagram, nullptr, expected_name);
}

}  // namespace lvs::agentproto
