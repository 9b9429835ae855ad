#include "agentproto/key.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace lvs::agentproto {
namespace {

using Digest = std::array<std::uint8_t, 32>;

/// Context of EVP_MAC HMAC-SHA256 keyed with `key`; owned by the caller.
EVP_MAC_CTX* new_context(const Key& key) {
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> hmac{
      EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr), EVP_MAC_free};
  if (!hmac) throw std::runtime_error{"libcrypto has no HMAC"};

  EVP_MAC_CTX* context = EVP_MAC_CTX_new(hmac.get());
  std::array<char, 7> digest{"SHA256"};
  const std::array params{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
                          OSSL_PARAM_construct_end()};
  if (context == nullptr || EVP_MAC_init(context, key.data(), key.size(), params.data()) != 1) {
    EVP_MAC_CTX_free(context);
    throw std::runtime_error{"libcrypto cannot key HMAC-SHA256"};
  }
  return context;
}

/// Without a key EVP_MAC_init starts anew with the one that the context has (EVP_MAC(3)).
Digest hmac(EVP_MAC_CTX* context, Bytes message) {
  Digest digest{};
  std::size_t size{};
  const bool done = EVP_MAC_init(context, nullptr, 0, nullptr) == 1 &&
                    EVP_MAC_update(context, message.data(), message.size()) == 1 &&
                    EVP_MAC_final(context, digest.data(), &size, digest.size()) == 1;
  if (!done || size != digest.size()) throw std::runtime_error{"libcrypto cannot compute a MAC"};
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
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context{new_context(master),
                                                                          EVP_MAC_CTX_free};
  return hmac(context.get(), bytes_of("LFB1 agent " + std::string{name}));
}

NameHash hash_of_name(std::string_view name) {
  Digest digest{};
  unsigned size{};
  if (EVP_Digest(name.data(), name.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error{"libcrypto has no SHA-256"};
  }
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

void MacKey::Free::operator()(void* context) const {
  EVP_MAC_CTX_free(static_cast<EVP_MAC_CTX*>(context));
}

MacKey::MacKey(const Key& key) : context_{new_context(key)} {}

Mac MacKey::mac(Bytes message) const {
  const Digest digest = hmac(static_cast<EVP_MAC_CTX*>(context_.get()), message);
  Mac mac{};
  std::copy_n(digest.begin(), mac.size(), mac.begin());
  return mac;
}

bool MacKey::verify(Bytes message, Bytes mac) const {
  const Mac expected = this->mac(message);
  return mac.size() == expected.size() &&
         CRYPTO_memcmp(mac.data(), expected.data(), expected.size()) == 0;
}

}  // namespace lvs::agentproto
