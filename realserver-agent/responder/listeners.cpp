#include "realserver-agent/responder/listeners.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace lvs::agent {
namespace {

bool is_wildcard(const ipvs::IpAddress& address) {
  return address == ipvs::IpAddress{.family = address.family};
}

}  // namespace

tl::expected<void, std::string> Listeners::set(const std::vector<ipvs::IpAddress>& addresses,
                                               std::uint16_t port) {
  const auto failure = [port](const ipvs::IpAddress& address, int error) {
    // The agent has given up CAP_NET_BIND_SERVICE with all the rest.
    const auto* const hint = error == EACCES ? "; choose a port above 1023" : "";
    return tl::unexpected<std::string>{fmt::format("cannot listen on {} port {}/udp: {}{}",
                                                   ipvs::string_from_ip_address(address), port,
                                                   std::strerror(error), hint)};
  };
  Sockets opened;
  std::vector<Sockets::key_type> wanted;
  for (const ipvs::IpAddress& address : addresses) {
    if (!sockets_.contains({address, port})) {
      auto socket = UdpSocket::bind(address, port);
      if (!socket && socket.error() == EAFNOSUPPORT && is_wildcard(address)) continue;
      if (!socket) return failure(address, socket.error());
      opened.emplace(std::pair{address, port}, std::move(*socket));
    }
    wanted.emplace_back(address, port);
  }
  if (wanted.empty()) return failure(addresses.front(), EAFNOSUPPORT);

  sockets_.merge(opened);
  std::erase_if(sockets_, [&wanted](const auto& entry) {
    return std::find(wanted.begin(), wanted.end(), entry.first) == wanted.end();
  });
  return {};
}

}  // namespace lvs::agent
