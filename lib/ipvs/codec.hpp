#pragma once

// IPVS messages: bytes to values (decode.cpp) and values to bytes (encode.cpp). No socket.
// Formats: include/uapi/linux/ip_vs.h and net/netfilter/ipvs/ip_vs_ctl.c (ip_vs_genl_*).
//
// Decoding is strict about lengths and about attributes that every kernel sends (a message without
// them was cut), and lenient about the unknown: an attribute this version does not know is never an
// error. Refusals are ErrorKind::malformed and carry the numbers.

#include <cstdint>
#include <tl/expected.hpp>

#include "ipvs/attributes.hpp"
#include "ipvs/table.hpp"

namespace lvs::ipvs {

/// Attributes of a NEW_SERVICE message -> the service in it.
tl::expected<Service, Error> service_from_message(ByteView attributes);
/// Attributes of a NEW_DEST message -> the destination in it. Without ADDR_FAMILY (kernels before
/// 3.18) the address has the family of its service.
tl::expected<Destination, Error> destination_from_message(ByteView attributes,
                                                          Family service_family);
/// Attributes of a SET_INFO message, the answer to GET_INFO.
tl::expected<KernelInfo, Error> kernel_info_from_message(ByteView attributes);

/// Payload of IPVS_CMD_ATTR_SERVICE, IPVS_CMD_ATTR_DEST.
tl::expected<Service, Error> service_from_attributes(ByteView payload);
tl::expected<Destination, Error> destination_from_attributes(ByteView payload,
                                                             Family service_family);

/// Attributes of GET_SERVICE and GET_DEST for one service: its identity and nothing else.
Bytes service_request(const ServiceKey& key);

/// Attributes of SET_DEST: the identity of the service and `destination`, the payload of a DEST
/// attribute.
Bytes set_destination_request(const ServiceKey& key, ByteView destination);

/// A dumped destination with another weight and every other byte as it was. SET_DEST is a full
/// replace, so what an old kernel left out is added: ADDR_FAMILY (else the service's family is
/// taken and a mixed pool's other destination is hit), TUN_TYPE, TUN_PORT, TUN_FLAGS.
tl::expected<Bytes, Error> raw_with_weight(ByteView raw, std::uint32_t weight, Family family);

/// The kernel's limit: it keeps weights in an int and answers ERANGE above.
inline constexpr std::uint32_t max_weight = 2147483647;

}  // namespace lvs::ipvs
