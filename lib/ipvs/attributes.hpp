#pragma once

// Netlink attributes (include/uapi/linux/netlink.h, struct nlattr) as bytes: a cursor that checks
// every length and a writer. Own code instead of libnl's nla_*: it needs no alignment, no socket
// and no C ownership, and every refusal can carry its numbers.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <vector>

namespace lvs::ipvs {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// struct nlattr: length (header included) and type, host order, then the payload padded to 4.
inline constexpr std::size_t attribute_header_size = 4;
inline constexpr std::size_t attribute_alignment = 4;

struct Attribute {
  std::uint16_t type{};  ///< NLA_F_NESTED and NLA_F_NET_BYTEORDER masked off
  ByteView payload{};
};

/// Takes the first attribute off `rest`. Nothing at the end; a message with the numbers where the
/// bytes are no attribute (`rest` is then unchanged). The last attribute may lack its padding.
tl::expected<std::optional<Attribute>, std::string> next_attribute(ByteView& rest);

/// Integers of exactly the attribute's size; anything else is nothing.
template <typename Integer>
std::optional<Integer> integer_from_payload(ByteView payload) {
  static_assert(std::is_unsigned_v<Integer>);
  if (payload.size() != sizeof(Integer)) return std::nullopt;
  Integer value{};
  std::memcpy(&value, payload.data(), sizeof value);
  return value;
}

/// Network to host order and back.
constexpr std::uint16_t swap_if_little(std::uint16_t value) {
  if constexpr (std::endian::native == std::endian::big) return value;
  return static_cast<std::uint16_t>((value << 8) | (value >> 8));
}
constexpr std::uint32_t swap_if_little(std::uint32_t value) {
  if constexpr (std::endian::native == std::endian::big) return value;
  return (value << 24) | ((value & 0xff00U) << 8) | ((value >> 8) & 0xff00U) | (value >> 24);
}

/// Appends one attribute with its padding.
void append_attribute(Bytes& to, std::uint16_t type, ByteView payload);
/// The same with NLA_F_NESTED set.
void append_nested(Bytes& to, std::uint16_t type, ByteView payload);

template <typename Integer>
void append_integer(Bytes& to, std::uint16_t type, Integer value) {
  append_attribute(to, type, std::as_bytes(std::span(&value, 1)));
}

/// With the terminating zero, as the kernel's NLA_NUL_STRING policy wants it.
void append_string(Bytes& to, std::uint16_t type, std::string_view text);

}  // namespace lvs::ipvs
