#include <linux/ip_vs.h>

#include <array>
#include <cstring>
#include <string>

#include "ipvs/codec.hpp"
#include "ipvs/error.hpp"

namespace lvs::ipvs {
namespace {

constexpr std::uint16_t attribute_type(int value) {
  return static_cast<std::uint16_t>(value);
}

Bytes service_identity(const ServiceKey& key) {
  Bytes identity;
  append_integer(identity, IPVS_SVC_ATTR_AF, static_cast<std::uint16_t>(key.family));
  if (key.is_fwmark()) {
    append_integer(identity, IPVS_SVC_ATTR_FWMARK, key.fwmark);
    return identity;
  }
  append_integer(identity, IPVS_SVC_ATTR_PROTOCOL, static_cast<std::uint16_t>(key.protocol));
  append_attribute(identity, IPVS_SVC_ATTR_ADDR, std::as_bytes(std::span(key.address.bytes)));
  append_integer(identity, IPVS_SVC_ATTR_PORT, swap_if_little(key.port));
  return identity;
}

Error not_writable(const std::string& why) {
  return malformed_error("destination cannot be written back: " + why);
}

}  // namespace

Bytes service_request(const ServiceKey& key) {
  Bytes attributes;
  append_nested(attributes, IPVS_CMD_ATTR_SERVICE, service_identity(key));
  return attributes;
}

Bytes set_destination_request(const ServiceKey& key, ByteView destination) {
  auto attributes = service_request(key);
  append_nested(attributes, IPVS_CMD_ATTR_DEST, destination);
  return attributes;
}

tl::expected<Bytes, Error> raw_with_weight(ByteView raw, std::uint32_t weight, Family family) {
  if (weight > max_weight) {
    return tl::unexpected(weight_error(weight));
  }
  Bytes result(raw.begin(), raw.end());
  std::array<bool, IPVS_DEST_ATTR_MAX + 1> present{};

  for (auto rest = raw; true;) {
    const auto attribute = next_attribute(rest);
    if (!attribute) return tl::unexpected(not_writable(attribute.error()));
    if (!*attribute) break;
    const auto [type, payload] = **attribute;
    if (type < present.size()) present.at(type) = true;
    if (type != IPVS_DEST_ATTR_WEIGHT) continue;
    if (payload.size() != sizeof weight) {
      return tl::unexpected(
          not_writable("WEIGHT has " + std::to_string(payload.size()) + " bytes instead of 4"));
    }
    const auto offset = static_cast<std::size_t>(payload.data() - raw.data());
    std::memcpy(result.data() + offset, &weight, sizeof weight);
  }
  if (!present.at(IPVS_DEST_ATTR_WEIGHT)) return tl::unexpected(not_writable("no WEIGHT in it"));

  // The last attribute may have come without its padding; what follows must start aligned.
  while (result.size() % attribute_alignment != 0)
    result.emplace_back();
  const auto add_if_absent = [&](int type, auto value) {
    if (!present.at(static_cast<std::size_t>(type))) {
      append_integer(result, attribute_type(type), value);
    }
  };
  add_if_absent(IPVS_DEST_ATTR_ADDR_FAMILY, static_cast<std::uint16_t>(family));
  add_if_absent(IPVS_DEST_ATTR_TUN_TYPE, std::uint8_t{0});
  add_if_absent(IPVS_DEST_ATTR_TUN_PORT, std::uint16_t{0});
  add_if_absent(IPVS_DEST_ATTR_TUN_FLAGS, std::uint16_t{0});
  return result;
}

}  // namespace lvs::ipvs
