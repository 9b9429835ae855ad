#include "monitord/socket_file.hpp"

#include <sys/stat.h>

#include <boost/asio/local/stream_protocol.hpp>

namespace lvs::monitord {

bool is_stale_socket(boost::asio::io_context& io, const std::string& path) {
  using boost::asio::local::stream_protocol;
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return false;
  stream_protocol::socket probe(io);
  boost::system::error_code failure;
  probe.connect(stream_protocol::endpoint(path), failure);
  return failure == boost::asio::error::connection_refused;
}

}  // namespace lvs::monitord
