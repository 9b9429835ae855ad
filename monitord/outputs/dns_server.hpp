#pragma once

// The Unix socket that PowerDNS's remote backend connects to: moves lines, decides nothing.
//
// Its mode is 0666: whoever asks PowerDNS is told the same. Who may reach it is a matter of its
// folder. Threading: the io_context's one thread. Errors: of a client, end that client's
// connection. A connection lasts as long as its client wants, costs one line of 4 KiB and one
// answer, and is not read from while it does not take that answer. There are at most 128, of one
// user 32: whoever comes then is sent away.

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lvs::monitord {

class DnsServer {
 public:
  static constexpr std::size_t at_a_time = 128;
  static constexpr std::size_t of_one_user = 32;

  /// A line without its end: what is answered, with its end.
  using Answer = std::function<std::string(std::string_view)>;

  DnsServer(boost::asio::io_context& io, Answer answer);
  /// Ends every connection.
  ~DnsServer();
  DnsServer(const DnsServer&) = delete;
  DnsServer& operator=(const DnsServer&) = delete;

  /// A socket file that nobody listens on is replaced; any other file is left alone. The error is
  /// one line.
  tl::expected<void, std::string> open(const std::string& path);

 private:
  class Client;
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace lvs::monitord
