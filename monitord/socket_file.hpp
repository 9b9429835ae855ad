#pragma once

// Files of Unix sockets that a program before this one left behind.

#include <boost/asio/io_context.hpp>
#include <string>

namespace lvs::monitord {

/// True: a socket that nobody listens on (its program was killed), which may be replaced. Any other
/// file is somebody's.
bool is_stale_socket(boost::asio::io_context& io, const std::string& path);

}  // namespace lvs::monitord
