#include "agentproto/key.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

namespace lvs::agentproto {

/// Of Nettle: the key's two half-done hashes, and room for a message's.
struct MacKey::Context {
  hmac_sha256_ctx hmac{};
};

namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

/// Leaves the context keyed for the next message (Nettle manual, "HMAC").
Digest hmac(hmac_sha256_ctx& context, Bytes message) {
  Digest digest{};
  hmac_sha256_update(&context, message.size(), message.data());
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::optional<std::uint8_t> nibble_from_hex(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<std::uint8_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<std::uint8_t>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<std::uint8_t>(digit - 'A' + 10);
  return std::nullopt;
}

}  // namespace

Key agent_key(const Key& master, std::string_view name) {
  hmac_sha256_ctx context{};
  hmac_sha256_set_key(&context, master.size(), master.data());
  return hmac(context, bytes_of("LFB1 agent " + std::string{name}));
}

NameHash hash_of_name(std::string_view name) {
  sha256_ctx context{};
  sha256_init(&context);
  sha256_update(&context, name.size(), bytes_of(name).data());
  Digest digest{};
  sha256_digest(&context, digest.size(), digest.data());
  NameHash hash{};
  std::copy_n(digest.begin(), hash.size(), hash.begin());
  return hash;
}

bool is_agent_name(std::string_view text) {
  constexpr std::size_t most_bytes = 255;
  return !text.empty() && text.size() <= most_bytes && std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7f;
  });
}

std::optional<Key> key_from_hex(std::string_view text) {
  Key key{};
  if (text.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto high = nibble_from_hex(text[2 * i]);
    const auto low = nibble_from_hex(text[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    key[i] = static_cast<std::uint8_t>(*high << 4U | *low);
  }
  return key;
}

std::string hex_from_key(const Key& key) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * key.size());
  for (const std::uint8_t byte : key) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xFU];
  }
  return text;
}

void MacKey::Free::operator()(Context* context) const {
  explicit_bzero(&context->hmac, sizeof(context->hmac));  // no key in freed memory
  delete context;
}

MacKey::MacKey(const Key& key) : context_{new Context} {
  hmac_sha256_set_key(&context_->hmac, key.size(), key.data());
}

Mac MacKey::mac(Bytes message) const {
  const Digest digest = hmac(context_->hmac, message);
  Mac mac{};
  std::copy_n(digest.begin(), mac.size(), mac.begin());
  return mac;
}

bool MacKey::verify(Bytes message, Bytes mac) const {
  const Mac expected = this->mac(message);
  return mac.size() == expected.size() &&
         memeql_sec(mac.data(), expected.data(), expected.size()) == 1;
}

}  // namespace lvs::agentproto
