#pragma once

// Generic netlink framing (struct nlmsghdr, genlmsghdr, nlmsgerr) as bytes. No socket.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/attributes.hpp"

namespace lvs::ipvs {

/// Message type of the generic netlink controller, which names the families.
inline constexpr std::uint16_t controller_family = 0x10;

struct Request {
  enum class Shape { single, dump };  ///< one answer and an ack, or all entries and DONE

  std::uint16_t family{};  ///< message type: the id the kernel gave the family at registration
  std::uint8_t command{};
  Shape shape{Shape::single};
  Bytes attributes{};

  friend bool operator==(const Request&, const Request&) = default;
};

Bytes datagram_from_request(const Request& request, std::uint32_t sequence);

/// Several requests in one datagram, numbered from `first_sequence` on. The kernel carries out one
/// after the other, whatever becomes of those before (netlink_rcv_skb of af_netlink.c).
Bytes datagram_from_requests(std::span<const Request> requests, std::uint32_t first_sequence);

/// CTRL_CMD_GETFAMILY. The kernel loads the module that has the name, if it can find one.
Request family_request(std::string_view name);
/// The id in the answer; nothing when it has none.
std::optional<std::uint16_t> family_id_from_message(ByteView attributes);

struct Message {
  enum class Kind {
    entry,    ///< an answer: command and attributes
    end,      ///< ack, DONE or an error: nothing follows for this sequence number
    ignored,  ///< NOOP
  };
  Kind kind{Kind::ignored};
  std::uint32_t sequence{};
  bool interrupted{};      ///< NLM_F_DUMP_INTR: the table changed during the dump
  int error_number{};      ///< `end` only: positive errno (the wire has it negative), 0 for success
  std::uint8_t command{};  ///< `entry` only
  ByteView attributes{};   ///< `entry` only; a view into the datagram
};

/// All messages of one datagram, or what is wrong with it.
tl::expected<std::vector<Message>, std::string> messages_from_datagram(ByteView datagram);

}  // namespace lvs::ipvs
