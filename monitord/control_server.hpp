#pragma once

// The control socket: a Unix stream socket of mode 0660 whose clients ask one line and get one
// document. Who may connect is the file's owner and group; who may change something, root and the
// user whom the daemon runs as (SO_PEERCRED, unix(7)). These two always find a place: others are
// turned away before all are taken (visits.hpp).
//
// Threading: the io_context's one thread. Nothing blocks it: a client that does not read costs one
// finished document and a timer. Errors: of a client, end that client.

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "monitord/control_protocol.hpp"
#include "monitord/visits.hpp"

namespace lvs::monitord {

class ControlServer {
 public:
  /// Shared, so that a status document is rendered once however many clients read it.
  using Answer = std::shared_ptr<const std::string>;
  /// Takes the answer to one request, once, on the io_context's thread, at once or later.
  using Respond = std::function<void(Answer)>;
  using Handler = std::function<void(const ControlRequest&, Respond)>;

  ControlServer(boost::asio::io_context& io, Handler handler);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// A socket file that nobody listens on is replaced; any other file is left alone. The error is
  /// one line.
  tl::expected<void, std::string> open(const std::string& path);

 private:
  class Client;

  void accept();
  void accept_later();

  boost::asio::local::stream_protocol::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  Handler handler_;
  std::string path_{};  ///< of the socket file that is ours; empty: none
  std::shared_ptr<Visits> visits_;
};

}  // namespace lvs::monitord
