#include "bench/bare_dump.hpp"

#include <linux/ip_vs.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "ipvs/codec.hpp"
#include "ipvs/conversation.hpp"
#include "ipvs/genetlink.hpp"
#include "ipvs/netlink_socket.hpp"

namespace lvs::bench {
namespace {

constexpr std::size_t piece_size = 32768;  // af_netlink.c caps a dump's pieces at this

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("bare dump: " + what + ": " + std::strerror(errno));
}

/// The kernel numbers its families at run time.
std::uint16_t ipvs_family() {
  ipvs::Conversation conversation(std::make_unique<ipvs::NetlinkSocket>());
  std::optional<std::uint16_t> family;
  const auto asked = conversation.ask(ipvs::family_request(IPVS_GENL_NAME),
                                      ipvs::Clock::now() + std::chrono::seconds(10),
                                      [&](const ipvs::Message& message) {
                                        family = ipvs::family_id_from_message(message.attributes);
                                      });
  if (!asked || !family) throw std::runtime_error("bare dump: this kernel has no IPVS");
  return *family;
}

nlmsghdr header_at(const std::byte* message) {
  nlmsghdr header{};
  std::memcpy(&header, message, sizeof header);
  return header;
}

constexpr std::size_t padded(std::size_t size) {
  return (size + NLMSG_ALIGNTO - 1) / NLMSG_ALIGNTO * NLMSG_ALIGNTO;
}

}  // namespace

BareDump::BareDump(std::span<const ipvs::ServiceKey> services)
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)), buffer_(piece_size) {
  if (socket_ < 0) fail("no socket");
  const auto family = ipvs_family();
  std::uint32_t sequence = 0;
  const auto add = [&](std::uint8_t command, ipvs::Bytes attributes) {
    const ipvs::Request request{family, command, ipvs::Request::Shape::dump, std::move(attributes)};
    requests_.push_back(ipvs::datagram_from_request(request, ++sequence));
  };
  add(IPVS_CMD_GET_SERVICE, {});
  for (const auto& key : services)
    add(IPVS_CMD_GET_DEST, ipvs::service_request(key));
}

BareDump::~BareDump() {
  close(socket_);
}

std::size_t BareDump::entries() {
  std::size_t count = 0;
  for (const auto& request : requests_)
    count += entries_of(request);
  return count;
}

std::size_t BareDump::entries_of(const ipvs::Bytes& request) {
  if (::send(socket_, request.data(), request.size(), 0) < 0) fail("send");
  std::size_t count = 0;
  while (true) {
    const auto got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (got < 0) fail("receive");
    for (std::size_t at = 0; at + sizeof(nlmsghdr) <= static_cast<std::size_t>(got);) {
      const auto header = header_at(buffer_.data() + at);
      if (header.nlmsg_type == NLMSG_DONE) return count;
      if (header.nlmsg_type == NLMSG_ERROR) throw std::runtime_error("bare dump: refused");
      ++count;
      at += padded(std::max<std::size_t>(header.nlmsg_len, sizeof header));
    }
  }
}

}  // namespace lvs::bench
