#pragma once

// Keys of LFB1: how an agent's key comes from the director's master key, and the MAC made with it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lvs::agentproto {

using Bytes = std::span<const std::uint8_t>;

/// 256 bits: a master key or an agent's key.
using Key = std::array<std::uint8_t, 32>;
/// HMAC-SHA256 cut to its first 128 bits.
using Mac = std::array<std::uint8_t, 16>;
/// First 8 bytes of SHA-256(agent name): the guard against the wrong server.
using NameHash = std::array<std::uint8_t, 8>;

/// HMAC-SHA256(master, "LFB1 agent " + name): a stolen agent key forges that one agent only.
Key agent_key(const Key& master, std::string_view name);

NameHash hash_of_name(std::string_view name);

/// 1 to 255 printable ASCII characters without blanks: what can be typed the same on both sides.
bool is_agent_name(std::string_view text);
inline constexpr std::string_view agent_name_rule =
    "a name has 1 to 255 ASCII characters and no blanks";

/// Exactly 64 hexadecimal digits of either case; empty when `text` is anything else.
std::optional<Key> key_from_hex(std::string_view text);
/// 64 lower-case digits.
std::string hex_from_key(const Key& key);

/// A keyed HMAC context (RFC 2104) that is made once and used for every message: keying takes as
/// long as a message. 336 bytes of heap. Threading: one thread at a time per object.
class MacKey {
 public:
  explicit MacKey(const Key& key);

  [[nodiscard]] Mac mac(Bytes message) const;
  /// In constant time. False when `mac` has another length.
  [[nodiscard]] bool verify(Bytes message, Bytes mac) const;

 private:
  struct Context;  // Nettle's, kept out of this header
  struct Free {
    void operator()(Context* context) const;
  };
  std::unique_ptr<Context, Free> context_;
};

}  // namespace lvs::agentproto
