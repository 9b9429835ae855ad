#include "monitord/outputs/agent_check_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "ipvs/types.hpp"
#include "monitord/asio_address.hpp"
#include "monitord/outputs/haproxy_answers.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int max_connections = 256;
/// Half of HAProxy's usual agent-inter, which is its deadline as well.
constexpr std::chrono::seconds question_time{1};
constexpr std::chrono::milliseconds pause_when_full{100};

}  // namespace

/// Outlives the server while a connection's handlers wait: they find it closed.
struct AgentCheckServer::Shared : std::enable_shared_from_this<Shared> {
  Shared(asio::io_context& io, Handlers made)
      : handlers(std::move(made)), acceptor(io), pause(io) {}

  Handlers handlers;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  int connections{};
  bool closed{};

  void accept();
  void accept_later();
};

namespace {

/// One question. Keeps itself alive through the handlers that wait for it.
class Question : public std::enable_shared_from_this<Question> {
 public:
  Question(tcp::socket socket, AgentCheckServer::Handlers& handlers, const bool& closed, int& count,
           std::shared_ptr<void> owner)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        handlers_(handlers),
        closed_(closed),
        count_(count),
        owner_(std::move(owner)) {
    ++count_;
  }
  ~Question() { --count_; }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  void read() {
    timer_.expires_after(question_time);
    timer_.async_wait([self = shared_from_this()](error_code stopped) {
      if (!stopped) self->too_late();
    });
    asio::async_read_until(
        socket_, asio::dynamic_buffer(line_, longest_question + 1), '\n',
        [self = shared_from_this()](error_code failure, std::size_t) { self->answer(failure); });
  }

 private:
  /// Once for the question, once more for the answer that is not taken.
  void too_late() {
    if (closed_ || asked_) return close();
    error_code ignored;
    socket_.cancel(ignored);
    write(handlers_.slow());
  }

  void answer(error_code failure) {
    if (asked_ || failure == asio::error::operation_aborted) return;
    // Whoever shuts down its sending side has said all; a line without end is too long.
    const bool said = failure == asio::error::eof && !line_.empty();
    if (closed_ || (failure && failure != asio::error::not_found && !said)) return close();
    write(handlers_.answer(line_));
  }

  void write(std::string text) {
    asked_ = true;
    answer_ = std::move(text);
    timer_.expires_after(question_time);
    timer_.async_wait([self = shared_from_this()](error_code stopped) {
      if (!stopped) self->close();
    });
    asio::async_write(socket_, asio::buffer(answer_),
                      [self = shared_from_this()](error_code, std::size_t) { self->close(); });
  }

  void close() {
    error_code ignored;
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  AgentCheckServer::Handlers& handlers_;
  const bool& closed_;
  int& count_;
  std::shared_ptr<void> owner_;  ///< of the three above
  std::string line_{};
  std::string answer_{};
  bool asked_{};
};

}  // namespace

void AgentCheckServer::Shared::accept() {
  if (closed) return;
  if (connections >= max_connections) return accept_later();
  acceptor.async_accept([self = shared_from_this()](error_code failure, tcp::socket socket) {
    if (self->closed || failure == asio::error::operation_aborted) return;
    if (failure) return self->accept_later();
    std::make_shared<Question>(std::move(socket), self->handlers, self->closed, self->connections,
                               self)
        ->read();
    self->accept();
  });
}

void AgentCheckServer::Shared::accept_later() {
  pause.expires_after(pause_when_full);
  pause.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->accept();
  });
}

AgentCheckServer::AgentCheckServer(asio::io_context& io, Handlers handlers)
    : shared_(std::make_shared<Shared>(io, std::move(handlers))) {}

AgentCheckServer::~AgentCheckServer() {
  error_code ignored;
  shared_->closed = true;
  shared_->acceptor.close(ignored);
  shared_->pause.cancel();
}

tl::expected<void, std::string> AgentCheckServer::open(const std::string& listen) {
  const auto failed = [&](const std::string& why) {
    return tl::make_unexpected("HAProxy cannot ask for weights at " + listen + ": " + why);
  };
  const auto place = ipvs::destination_key_from_string(listen);
  if (!place) return failed("it is no ADDRESS:PORT");
  const tcp::endpoint endpoint(asio_address(place->address), place->port);
  auto& acceptor = shared_->acceptor;
  error_code failure;
  acceptor.open(endpoint.protocol(), failure);
  if (!failure) acceptor.set_option(asio::socket_base::reuse_address(true), failure);
  if (!failure) acceptor.bind(endpoint, failure);
  if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
  if (failure) return failed(failure.message());
  shared_->accept();
  return {};
}

unsigned AgentCheckServer::port() const {
  error_code ignored;
  return shared_->acceptor.local_endpoint(ignored).port();
}

}  // namespace lvs::monitord
