#pragma once

// LFB1, the agents' protocol: one UDP datagram each way. Bytes <-> values; no sockets, no clock.
//
//   0  4 magic "LFB1"      16  8 nonce, chosen by the director, copied by the agent
//   4  1 1 request 2 reply 24  8 request: 0; reply: the agent's CLOCK_BOOTTIME in ns
//   5  1 flags             32  … TLVs: type(1) length(1) value; unknown types are skipped
//   6  2 total length     -16 16 MAC of everything before it
//   8  4 key id
//  12  4 zero, ignored on read
//
// All integers are big-endian. A request is padded to the greatest length of a reply, and nothing
// wrong is ever answered: an agent cannot be used to amplify. Without keys (`keyless`, only where
// the operator wrote it out) the key id is 0 and the MAC zero; a side that has keys drops those.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "agentproto/sample.hpp"

namespace lvs::agentproto {

inline constexpr std::uint16_t default_port = 6353;
inline constexpr std::size_t request_size = 512;
inline constexpr std::size_t max_reply_size = 512;

/// What both directions carry, and all that a request says.
struct Request {
  std::uint32_t key_id{};  ///< 0: keyless
  std::uint64_t nonce{};
  friend bool operator==(const Request&, const Request&) = default;
};

struct Reply {
  std::uint32_t key_id{};  ///< 0: keyless
  std::uint64_t nonce{};
  NameHash name_hash{};
  Sample sample{};
  friend bool operator==(const Reply&, const Reply&) = default;
};

/// Why a datagram was dropped, in the order of the checks.
enum class DecodeError {
  bad_length,     ///< too short, too long, or not the length that it states
  bad_magic,      ///< not LFB1
  wrong_type,     ///< a reply where a request is due, or the other way round
  bad_mac,        ///< another key, keyless against keyed, or changed on the way
  malformed_tlv,  ///< a known TLV of a wrong length, twice, or cut off
  wrong_name,     ///< a valid reply of another agent
};
std::string_view string_from_decode_error(DecodeError error);

/// Asks for the codec without keys.
struct Keyless {};
inline constexpr Keyless keyless{};

using RequestBytes = std::array<std::uint8_t, request_size>;
RequestBytes encode_request(const Request& request, const MacKey& key);
RequestBytes encode_request(std::uint64_t nonce, Keyless);

/// Length, magic and type only: tells the key to verify with. Nothing in it may be trusted yet.
tl::expected<Request, DecodeError> peek_request(Bytes datagram);
tl::expected<Request, DecodeError> decode_request(Bytes datagram, const MacKey& key);
tl::expected<Request, DecodeError> decode_request(Bytes datagram, Keyless);

/// Never longer than max_reply_size.
std::vector<std::uint8_t> encode_reply(const Reply& reply, const MacKey& key);
/// `reply.key_id` is not used.
std::vector<std::uint8_t> encode_reply(const Reply& reply, Keyless);

/// As peek_request: the nonce names the outstanding question, the key id the key.
tl::expected<Request, DecodeError> peek_reply(Bytes datagram);
/// Whether the nonce is one that was asked is for the caller. Without `expected_name` any name
/// will do.
tl::expected<Reply, DecodeError> decode_reply(Bytes datagram, const MacKey& key,
                                              std::optional<NameHash> expected_name);
tl::expected<Reply, DecodeError> decode_reply(Bytes datagram, Keyless,
                                              std::optional<NameHash> expected_name);

}  // namespace lvs::agentproto
