#include "monitord/control_server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "monitord/socket_file.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;

/// For a client's whole visit.
constexpr std::chrono::seconds client_time{10};
constexpr std::chrono::milliseconds pause_when_full{100};

/// The file is made with its final mode: there is no moment in which others may connect.
void bind_with_mode(stream_protocol::acceptor& acceptor, const std::string& path,
                    error_code& failure) {
  const auto before = ::umask(0117);
  acceptor.bind(stream_protocol::endpoint(path), failure);
  ::umask(before);
}

/// Of whoever connected, at the time of connecting; empty where the kernel does not say.
std::optional<uid_t> user_of(stream_protocol::socket& socket) {
  ucred peer{};
  socklen_t length = sizeof(peer);
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return {};
  return peer.uid;
}

ControlServer::Answer refusal(const ControlError& error) {
  return std::make_shared<const std::string>(control_answer(error));
}

/// Told at once and without waiting for the question: a visit that lasts is what there is no place
/// for. The line fits into any socket's buffer.
void turn_away(stream_protocol::socket& socket) {
  const auto answer = refusal(
      {"too many visits of this user at a time",
       "end the programs that keep the control socket open, or ask again in ten seconds; root has "
       "places of its own"});
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(*answer), ignored);
  socket.shutdown(stream_protocol::socket::shutdown_send, ignored);
  // A question that is here already, and not read, would reset the connection.
  std::array<char, max_control_request + 1> question{};
  socket.read_some(asio::buffer(question), ignored);
}

}  // namespace

/// One visit. Keeps itself alive through the handlers that wait for it.
class ControlServer::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(stream_protocol::socket socket, Visits::User user, Handler handler,
         std::shared_ptr<Visits> visits)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        handler_(std::move(handler)),
        user_(user),
        visits_(std::move(visits)) {
    visits_->begin(user_);
  }
  ~Client() { visits_->end(user_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void start() {
    timer_.expires_after(client_time);
    timer_.async_wait([self = shared_from_this()](error_code failure) {
      if (!failure) self->close();
    });
    read_on();
  }

 private:
  [[nodiscard]] bool may_write() const { return user_ && (*user_ == 0 || *user_ == ::geteuid()); }

  void read_on() {
    asio::async_read_until(
        socket_, asio::dynamic_buffer(request_, longest_ + 1), '\n',
        [self = shared_from_this()](error_code failure, std::size_t) { self->answer(failure); });
  }

  [[nodiscard]] bool starts_an_import() const {
    return longest_ < max_control_import && request_.starts_with(R"({"command":"state_import")");
  }

  /// One that has no end yet and may be as long as that.
  [[nodiscard]] bool is_import() const { return starts_an_import() && may_write(); }

  static ControlError no_right() {
    return {"this changes something, which only root and monitord's own user may",
            "try it with sudo; members of the socket's group may look"};
  }

  void ask(const ControlRequest& request) {
    if (is_writing(request.command) && !may_write()) return send(refusal(no_right()));
    handler_(request,
             [self = shared_from_this()](Answer answer) { self->send(std::move(answer)); });
  }

  void send(Answer answer) {
    answer_ = std::move(answer);
    asio::async_write(socket_, asio::buffer(*answer_),
                      [self = shared_from_this()](error_code, std::size_t) { self->close(); });
  }

  void answer(error_code failure) {
    if (failure == asio::error::not_found && is_import()) {
      longest_ = max_control_import;
      return read_on();
    }
    // A client that shuts down its sending side has said all, with or without a newline.
    if (failure && failure != asio::error::eof && failure != asio::error::not_found) {
      return close();
    }
    const auto line = std::string_view(request_).substr(0, request_.find('\n'));
    if (failure == asio::error::not_found && starts_an_import()) {
      send(refusal(no_right()));
    } else if (failure == asio::error::not_found) {
      send(refusal({"the request is too long", "one line with one command"}));
    } else if (const auto request = control_request_from_line(line)) {
      ask(*request);
    } else {
      send(refusal(request.error()));
    }
  }

  void close() {
    error_code ignored;
    timer_.cancel();
    socket_.shutdown(stream_protocol::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  stream_protocol::socket socket_;
  asio::steady_timer timer_;
  Handler handler_;
  Visits::User user_;
  std::shared_ptr<Visits> visits_;
  std::size_t longest_{max_control_request};
  std::string request_{};
  Answer answer_{};
};

ControlServer::ControlServer(asio::io_context& io, Handler handler)
    : acceptor_(io),
      pause_(io),
      handler_(std::move(handler)),
      visits_(std::make_shared<Visits>(::geteuid())) {}

ControlServer::~ControlServer() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

tl::expected<void, std::string> ControlServer::open(const std::string& path) {
  error_code failure;
  const auto failed = [&](const std::string& why) {
    error_code ignored;
    acceptor_.close(ignored);
    return tl::make_unexpected("no control socket at " + path + ": " + why);
  };
  // sun_path holds 108 bytes with its terminator; Asio throws on more.
  if (path.empty() || path.size() > 107) return failed("the path must have 1 to 107 bytes");
  acceptor_.open(stream_protocol(), failure);
  if (failure) return failed(failure.message());
  bind_with_mode(acceptor_, path, failure);
  if (failure == asio::error::address_in_use) {
    auto& io = static_cast<asio::io_context&>(acceptor_.get_executor().context());
    if (!is_stale_socket(io, path)) return failed("it exists, and is in use or no socket");
    ::unlink(path.c_str());
    bind_with_mode(acceptor_, path, failure);
  }
  if (failure) return failed(failure.message());
  path_ = path;
  acceptor_.listen(stream_protocol::acceptor::max_listen_connections, failure);
  if (failure) return failed(failure.message());
  accept();
  return {};
}

void ControlServer::accept() {
  // With too many clients, or without a descriptor for one more, whoever comes now waits in the
  // kernel's queue.
  if (visits_->full()) return accept_later();
  acceptor_.async_accept([this](error_code failure, stream_protocol::socket socket) {
    if (failure == asio::error::operation_aborted) return;
    if (failure) return accept_later();
    const auto user = user_of(socket);
    if (visits_->admits(user)) {
      std::make_shared<Client>(std::move(socket), user, handler_, visits_)->start();
    } else {
      turn_away(socket);
    }
    accept();
  });
}

void ControlServer::accept_later() {
  pause_.expires_after(pause_when_full);
  pause_.async_wait([this](error_code stopped) {
    if (!stopped) accept();
  });
}

}  // namespace lvs::monitord
