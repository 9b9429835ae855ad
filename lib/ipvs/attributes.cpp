#include "ipvs/attributes.hpp"

#include <linux/netlink.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace lvs::ipvs {
namespace {

struct Header {
  std::uint16_t length;
  std::uint16_t type;
};
static_assert(sizeof(Header) == attribute_header_size);

constexpr std::size_t padded(std::size_t size) {
  return (size + attribute_alignment - 1) / attribute_alignment * attribute_alignment;
}

constexpr std::uint16_t nested_flag = 1U << 15;
constexpr std::uint16_t net_byteorder_flag = 1U << 14;
static_assert(nested_flag == NLA_F_NESTED && net_byteorder_flag == NLA_F_NET_BYTEORDER);
constexpr std::uint16_t type_mask = 0x3fff;

}  // namespace

tl::expected<std::optional<Attribute>, std::string> next_attribute(ByteView& rest) {
  if (rest.empty()) return std::nullopt;
  if (rest.size() < attribute_header_size) {
    return tl::unexpected(std::to_string(rest.size()) + " bytes left where an attribute needs " +
                          std::to_string(attribute_header_size));
  }
  Header header{};
  std::memcpy(&header, rest.data(), sizeof header);
  const auto type = static_cast<std::uint16_t>(header.type & type_mask);
  if (header.length < attribute_header_size || header.length > rest.size()) {
    return tl::unexpected("attribute " + std::to_string(type) + " says " +
                          std::to_string(header.length) + " bytes where " +
                          std::to_string(rest.size()) + " are left");
  }
  const auto payload = rest.subspan(attribute_header_size, header.length - attribute_header_size);
  rest = rest.subspan(std::min(padded(header.length), rest.size()));
  return Attribute{type, payload};
}

void append_attribute(Bytes& to, std::uint16_t type, ByteView payload) {
  assert(payload.size() <= std::numeric_limits<std::uint16_t>::max() - attribute_header_size);
  const Header header{static_cast<std::uint16_t>(attribute_header_size + payload.size()), type};
  const auto header_bytes = std::as_bytes(std::span(&header, 1));
  to.insert(to.end(), header_bytes.begin(), header_bytes.end());
  to.insert(to.end(), payload.begin(), payload.end());
  to.resize(padded(to.size()));
}

void append_nested(Bytes& to, std::uint16_t type, ByteView payload) {
  append_attribute(to, static_cast<std::uint16_t>(type | nested_flag), payload);
}

void append_string(Bytes& to, std::uint16_t type, std::string_view text) {
  const std::string terminated(text);
  append_attribute(to, type, std::as_bytes(std::span(terminated.c_str(), terminated.size() + 1)));
}

}  // namespace lvs::ipvs
