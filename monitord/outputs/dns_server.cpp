#include "monitord/outputs/dns_server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "monitord/outputs/remote_backend.hpp"
#include "monitord/socket_file.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;
/// Empty: the kernel did not say; all of these count as one.
using User = std::optional<uid_t>;

constexpr std::chrono::milliseconds pause_after_failure{100};

/// The file is made with its final mode: there is no moment in which nobody could connect.
void bind_for_all(stream_protocol::acceptor& acceptor, const std::string& path,
                  error_code& failure) {
  const auto before = ::umask(0111);
  acceptor.bind(stream_protocol::endpoint(path), failure);
  ::umask(before);
}

User user_of(stream_protocol::socket& socket) {
  ucred peer{};
  socklen_t length = sizeof(peer);
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return {};
  return peer.uid;
}

}  // namespace

/// Outlives the server while a connection's handlers wait: they find it closed.
struct DnsServer::Shared : std::enable_shared_from_this<Shared> {
  Shared(asio::io_context& made_io, Answer made)
      : io(made_io), answer(std::move(made)), acceptor(made_io), pause(made_io) {}

  asio::io_context& io;
  Answer answer;
  stream_protocol::acceptor acceptor;
  asio::steady_timer pause;
  std::string path{};  ///< of the socket file that is ours; empty: none
  bool closed{};
  std::set<Client*> clients{};
  std::map<User, std::size_t> of_user{};

  void accept();
  void accept_later();
  [[nodiscard]] bool admits(User user) const;
};

/// One connection. Keeps itself alive through the handlers that wait for it.
class DnsServer::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(stream_protocol::socket socket, User user, std::shared_ptr<Shared> owner)
      : socket_(std::move(socket)), user_(user), owner_(std::move(owner)) {
    owner_->clients.insert(this);
    ++owner_->of_user[user_];
  }
  ~Client() {
    owner_->clients.erase(this);
    if (--owner_->of_user[user_] == 0) owner_->of_user.erase(user_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void read() {
    asio::async_read_until(socket_, asio::dynamic_buffer(lines_, longest_dns_question + 1), '\n',
                           [self = shared_from_this()](error_code failure, std::size_t size) {
                             // A line that is too long, like a client that is gone, ends it.
                             if (failure || self->owner_->closed) return self->close();
                             self->reply(size);
                           });
  }
  void close() {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  void reply(std::size_t size) {
    answer_ = owner_->answer(std::string_view(lines_).substr(0, size - 1));
    lines_.erase(0, size);
    asio::async_write(socket_, asio::buffer(answer_),
                      [self = shared_from_this()](error_code failure, std::size_t) {
                        if (failure || self->owner_->closed) return self->close();
                        self->read();
                      });
  }

  stream_protocol::socket socket_;
  User user_;
  std::shared_ptr<Shared> owner_;
  std::string lines_{};
  std::string answer_{};
};

bool DnsServer::Shared::admits(User user) const {
  const auto others = of_user.find(user);
  return clients.size() < at_a_time && (others == of_user.end() || others->second < of_one_user);
}

void DnsServer::Shared::accept() {
  if (closed) return;
  acceptor.async_accept(
      [self = shared_from_this()](error_code failure, stream_protocol::socket socket) {
        if (self->closed || failure == asio::error::operation_aborted) return;
        if (failure) return self->accept_later();
        // Else the socket's end closes it.
        if (const auto user = user_of(socket); self->admits(user))
          std::make_shared<Client>(std::move(socket), user, self)->read();
        self->accept();
      });
}

void DnsServer::Shared::accept_later() {
  pause.expires_after(pause_after_failure);
  pause.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->accept();
  });
}

DnsServer::DnsServer(asio::io_context& io, Answer answer)
    : shared_(std::make_shared<Shared>(io, std::move(answer))) {}

DnsServer::~DnsServer() {
  error_code ignored;
  shared_->closed = true;
  shared_->acceptor.close(ignored);
  shared_->pause.cancel();
  for (auto* const client : shared_->clients)
    client->close();
  if (!shared_->path.empty()) ::unlink(shared_->path.c_str());
}

tl::expected<void, std::string> DnsServer::open(const std::string& path) {
  error_code failure;
  auto& acceptor = shared_->acceptor;
  const auto failed = [&](const std::string& why) {
    error_code ignored;
    acceptor.close(ignored);
    return tl::make_unexpected("PowerDNS cannot ask for names at " + path + ": " + why);
  };
  // sun_path holds 108 bytes with its terminator; Asio throws on more.
  if (path.empty() || path.size() > 107) return failed("the path must have 1 to 107 bytes");
  acceptor.open(stream_protocol(), failure);
  if (failure) return failed(failure.message());
  bind_for_all(acceptor, path, failure);
  if (failure == asio::error::address_in_use) {
    if (!is_stale_socket(shared_->io, path)) return failed("it exists, and is in use or no socket");
    ::unlink(path.c_str());
    bind_for_all(acceptor, path, failure);
  }
  if (failure) return failed(failure.message());
  shared_->path = path;
  acceptor.listen(stream_protocol::acceptor::max_listen_connections, failure);
  if (failure) return failed(failure.message());
  shared_->accept();
  return {};
}

}  // namespace lvs::monitord
