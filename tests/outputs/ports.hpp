#pragma once

// Ports on loopback that nobody has.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace lvs::monitord::testing {

/// One that was free a moment ago.
inline unsigned free_port(boost::asio::io_context& io) {
  boost::asio::ip::tcp::acceptor const asking(io, {boost::asio::ip::address_v4::loopback(), 0});
  return asking.local_endpoint().port();
}

}  // namespace lvs::monitord::testing
