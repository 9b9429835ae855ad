#pragma once

// Addresses as Asio has them.

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "ipvs/types.hpp"

namespace lvs::monitord {

inline boost::asio::ip::address asio_address(const ipvs::IpAddress& address) {
  const auto& bytes = address.bytes;
  if (address.family == ipvs::Family::inet) {
    boost::asio::ip::address_v4::bytes_type four{};
    std::copy_n(bytes.begin(), four.size(), four.begin());
    return boost::asio::ip::address_v4(four);
  }
  boost::asio::ip::address_v6::bytes_type sixteen{};
  std::copy(bytes.begin(), bytes.end(), sixteen.begin());
  return boost::asio::ip::address_v6(sixteen);
}

}  // namespace lvs::monitord
