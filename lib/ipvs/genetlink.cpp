#include "ipvs/genetlink.hpp"

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lvs::ipvs {
namespace {

static_assert(controller_family == GENL_ID_CTRL);

/// NLMSG_ALIGN and GENL_HDRLEN without the macros' casts; both headers are multiples of 4 long.
constexpr std::size_t message_alignment = NLMSG_ALIGNTO;
static_assert(sizeof(nlmsghdr) == 16 && sizeof(genlmsghdr) == 4);

constexpr std::size_t padded(std::size_t size) {
  return (size + message_alignment - 1) / message_alignment * message_alignment;
}

template <typename Header>
void append_header(Bytes& to, const Header& header) {
  const auto before = to.size();
  to.resize(before + sizeof header);
  std::memcpy(to.data() + before, &header, sizeof header);
}

/// The caller has checked that the bytes are there.
template <typename Header>
Header header_from_bytes(ByteView bytes) {
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

std::string too_short(std::string_view what, std::size_t length) {
  return std::string(what) + " message of " + std::to_string(length) + " bytes is too short";
}

/// NLMSG_ERROR (errno 0 is the ack) and DONE start with the result as a negative errno.
tl::expected<Message, std::string> end_message(Message message, std::string_view what,
                                               ByteView payload) {
  if (payload.size() < sizeof(std::int32_t)) {
    return tl::unexpected(too_short(what, payload.size()));
  }
  const auto result = header_from_bytes<std::int32_t>(payload);
  if (result > 0 || result < -4095) {  // MAX_ERRNO of include/linux/err.h
    return tl::unexpected(std::string(what) + " message with the impossible result " +
                          std::to_string(result));
  }
  message.kind = Message::Kind::end;
  message.error_number = -result;
  return message;
}

tl::expected<Message, std::string> message_from_bytes(const nlmsghdr& header, ByteView payload) {
  Message message{.sequence = header.nlmsg_seq,
                  .interrupted = (header.nlmsg_flags & NLM_F_DUMP_INTR) != 0};
  switch (header.nlmsg_type) {
    case NLMSG_NOOP:
      return message;
    case NLMSG_ERROR:
      return end_message(message, "ERROR", payload);
    case NLMSG_DONE:
      return end_message(message, "DONE", payload);
    case NLMSG_OVERRUN:  // "data lost": the same as ENOBUFS from the socket
      message.kind = Message::Kind::end;
      message.error_number = ENOBUFS;
      return message;
    default:
      break;
  }
  if (payload.size() < sizeof(genlmsghdr)) {
    return tl::unexpected(too_short("generic netlink", payload.size()));
  }
  message.kind = Message::Kind::entry;
  message.command = header_from_bytes<genlmsghdr>(payload).cmd;
  message.attributes = payload.subspan(sizeof(genlmsghdr));
  return message;
}

}  // namespace

Bytes datagram_from_request(const Request& request, std::uint32_t sequence) {
  const bool dump = request.shape == Request::Shape::dump;
  // Not NLM_F_ACK on a dump: DONE ends it, and an ack would be one message more to wait for.
  const auto flags = static_cast<std::uint16_t>(NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK));
  const auto length = sizeof(nlmsghdr) + sizeof(genlmsghdr) + request.attributes.size();

  Bytes datagram;
  datagram.reserve(length);
  append_header(datagram, nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(length),
                                   .nlmsg_type = request.family,
                                   .nlmsg_flags = flags,
                                   .nlmsg_seq = sequence,
                                   .nlmsg_pid = 0});
  append_header(datagram, genlmsghdr{.cmd = request.command, .version = 1, .reserved = 0});
  datagram.insert(datagram.end(), request.attributes.begin(), request.attributes.end());
  return datagram;
}

Bytes datagram_from_requests(std::span<const Request> requests, std::uint32_t first_sequence) {
  Bytes datagram;
  for (const auto& request : requests) {
    const auto one = datagram_from_request(request, first_sequence++);
    datagram.insert(datagram.end(), one.begin(), one.end());
    datagram.resize(padded(datagram.size()));
  }
  return datagram;
}

Request family_request(std::string_view name) {
  Request request{.family = controller_family, .command = CTRL_CMD_GETFAMILY};
  append_string(request.attributes, CTRL_ATTR_FAMILY_NAME, name);
  return request;
}

std::optional<std::uint16_t> family_id_from_message(ByteView attributes) {
  while (true) {
    const auto attribute = next_attribute(attributes);
    if (!attribute || !*attribute) return std::nullopt;
    if ((*attribute)->type == CTRL_ATTR_FAMILY_ID) {
      return integer_from_payload<std::uint16_t>((*attribute)->payload);
    }
  }
}

tl::expected<std::vector<Message>, std::string> messages_from_datagram(ByteView datagram) {
  std::vector<Message> messages;
  while (!datagram.empty()) {
    if (datagram.size() < sizeof(nlmsghdr)) {
      return tl::unexpected(std::to_string(datagram.size()) + " bytes left where a message needs " +
                            std::to_string(sizeof(nlmsghdr)));
    }
    const auto header = header_from_bytes<nlmsghdr>(datagram);
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > datagram.size()) {
      return tl::unexpected("a message says " + std::to_string(header.nlmsg_len) + " bytes where " +
                            std::to_string(datagram.size()) + " are left");
    }
    auto message = message_from_bytes(
        header, datagram.subspan(sizeof header, header.nlmsg_len - sizeof header));
    if (!message) return tl::unexpected(message.error());
    messages.push_back(*message);
    datagram = datagram.subspan(std::min(padded(header.nlmsg_len), datagram.size()));
  }
  return messages;
}

}  // namespace lvs::ipvs
