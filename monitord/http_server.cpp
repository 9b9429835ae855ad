#include "monitord/http_server.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "ipvs/types.hpp"
#include "monitord/asio_address.hpp"
#include "monitord/socket_file.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Protocol = asio::generic::stream_protocol;
using Stream = beast::basic_stream<Protocol>;
using boost::system::error_code;

constexpr int max_connections = 64;
constexpr std::size_t max_header = 8192;
constexpr std::chrono::seconds request_time{16};  ///< also of a connection that is kept
constexpr std::chrono::seconds answer_time{30};
constexpr std::chrono::seconds farewell_time{2};
constexpr std::size_t most_unread = std::size_t{64} << 10U;
constexpr std::chrono::milliseconds pause_when_full{100};
/// Answers of one cycle that are kept for the next reader.
constexpr std::size_t max_kept = 16;
/// Bytes of all answers that are kept or still being read: slow readers of many different pages
/// must not fill the memory.
constexpr std::size_t max_unread_answers = std::size_t{96} << 20U;

using Answer = std::shared_ptr<const HttpAnswer>;

HttpAnswer plain_answer(unsigned status, std::string body) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::move(body);
  return answer;
}

/// An answer whose bytes count until nobody reads it any more.
struct CountedAnswer {
  CountedAnswer(HttpAnswer made, std::shared_ptr<std::size_t> sum)
      : answer(std::move(made)), held(std::move(sum)) {
    *held += answer.body.size();
  }
  ~CountedAnswer() { *held -= answer.body.size(); }
  CountedAnswer(const CountedAnswer&) = delete;
  CountedAnswer& operator=(const CountedAnswer&) = delete;

  HttpAnswer answer;
  std::shared_ptr<std::size_t> held;
};

/// A file is made with its final mode, for its owner and group, as that of the control socket.
void bind_with_mode(asio::basic_socket_acceptor<Protocol>& acceptor,
                    const Protocol::endpoint& endpoint, bool is_file, error_code& failure) {
  if (!is_file) {
    acceptor.bind(endpoint, failure);
    return;
  }
  const auto before = ::umask(0117);
  acceptor.bind(endpoint, failure);
  ::umask(before);
}

}  // namespace

/// Kept alive by the thread as well: whoever closes the server waits for it.
struct HttpServer::Shared {
  explicit Shared(Handler made) : handler(std::move(made)) {}

  Handler handler;
  std::mutex mutex{};
  std::shared_ptr<const Published> published{std::make_shared<const Published>()};  ///< by mutex

  // From here on of the server's thread, once it runs.
  int connections{};  ///< before io, whose end is the end of the last of them
  std::shared_ptr<const Published> kept_of{};  ///< what the kept answers were made from
  std::map<std::string, Answer> kept{};
  std::shared_ptr<std::size_t> held{std::make_shared<std::size_t>(0)};  ///< bytes of all answers
  asio::io_context io{1};
  asio::basic_socket_acceptor<Protocol> acceptor{io};
  asio::steady_timer pause{io};
  std::string path{};  ///< of the socket file that is ours; empty: none
  std::thread thread{};

  std::shared_ptr<const Published> current() {
    const std::lock_guard lock(mutex);
    return published;
  }

  Answer answer_to(const HttpRequest& request);
  Answer counted(HttpAnswer answer) const;
  void accept();
  void accept_later();
  void run();
  error_code listen_on(const Protocol::endpoint& endpoint, const std::string& file);
};

namespace {

/// One connection. Keeps itself alive through the handlers that wait for it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Answering = std::function<Answer(const HttpRequest&)>;

  Connection(Protocol::socket socket, Answering answering, int& count)
      : stream_(std::move(socket)), answering_(std::move(answering)), count_(count) {
    ++count_;
  }
  ~Connection() { --count_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(max_header);
    parser_->body_limit(std::uint64_t{0});
    stream_.expires_after(request_time);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code failure, std::size_t) { self->answer(failure); });
  }

 private:
  void answer(error_code failure) {
    if (failure == http::error::header_limit || failure == http::error::buffer_overflow) {
      return write(refused(431, "the request is too long\n"), false, false);
    }
    if (failure == http::error::unexpected_body || failure == http::error::body_limit) {
      return write(refused(413, "a request has no body here\n"), false, false);
    }
    if (failure.category() == http::make_error_code(http::error::end_of_stream).category() &&
        failure != http::error::end_of_stream && failure != http::error::partial_message) {
      return write(refused(400, "this is not HTTP\n"), false, false);
    }
    if (failure) return close();
    const auto& message = parser_->get();
    const HttpRequest request{std::string(message.method_string()), std::string(message.target()),
                              std::string(message[http::field::host])};
    write(answering_(request), message.method() == http::verb::head, message.keep_alive());
  }

  static Answer refused(unsigned status, std::string body) {
    return std::make_shared<const HttpAnswer>(plain_answer(status, std::move(body)));
  }

  template <typename Message>
  static void set_headers(Message& message, const HttpAnswer& answer, bool keep) {
    message.version(11);
    message.result(answer.status);
    message.set(http::field::server, "monitord");
    message.set(http::field::content_type, answer.content_type);
    if (!answer.allow.empty()) message.set(http::field::allow, answer.allow);
    for (const auto& [name, value] : http_headers(answer))
      message.set(beast::string_view(name.data(), name.size()),
                  beast::string_view(value.data(), value.size()));
    message.content_length(answer.body.size());
    message.keep_alive(keep);
  }

  void write(Answer answer, bool head, bool keep) {
    answer_ = std::move(answer);
    stream_.expires_after(answer_time);
    const auto done = [self = shared_from_this(), keep](error_code failure, std::size_t) {
      if (failure || !keep) return self->close();
      self->read();
    };
    if (head) {
      bare_.emplace();
      set_headers(*bare_, *answer_, keep);
      return http::async_write(stream_, *bare_, done);
    }
    full_.emplace();
    full_->body() = {answer_->body.data(), answer_->body.size()};
    set_headers(*full_, *answer_, keep);
    http::async_write(stream_, *full_, done);
  }

  /// What the client still sends is read and dropped for a while: closing over it would reset the
  /// connection, and the client might never see its answer.
  void close() {
    error_code ignored;
    stream_.socket().shutdown(Protocol::socket::shutdown_send, ignored);
    stream_.expires_after(farewell_time);
    drop();
  }

  void drop() {
    stream_.async_read_some(boost::asio::buffer(dropped_),
                            [self = shared_from_this()](error_code failure, std::size_t count) {
                              self->unread_ += count;
                              if (failure || self->unread_ > most_unread) {
                                return self->stream_.close();
                              }
                              self->drop();
                            });
  }

  Stream stream_;
  Answering answering_;
  int& count_;
  beast::flat_static_buffer<max_header + 1024> buffer_{};
  std::optional<http::request_parser<http::empty_body>> parser_{};
  std::array<char, 1024> dropped_{};
  std::size_t unread_{};
  Answer answer_{};  ///< whose body is being written
  std::optional<http::response<http::empty_body>> bare_{};
  std::optional<http::response<http::span_body<const char>>> full_{};
};

}  // namespace

/// All of it on the server's thread.
Answer HttpServer::Shared::counted(HttpAnswer answer) const {
  const auto counted = std::make_shared<const CountedAnswer>(std::move(answer), held);
  return {counted, &counted->answer};
}

/// Made once a cycle for all who ask the same.
Answer HttpServer::Shared::answer_to(const HttpRequest& request) {
  const auto now = current();
  if (kept_of != now) {
    kept.clear();
    kept_of = now;
  }
  const auto method = request.method == "HEAD" ? std::string("GET") : request.method;
  const auto key = method + "\n" + request.host + "\n" + request.target;
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (*held > max_unread_answers) {
    return std::make_shared<const HttpAnswer>(
        plain_answer(503, "too many answers are still being read; ask again in a moment\n"));
  }
  Answer answer;
  try {
    answer = counted(handler(request, *now));
  } catch (const std::exception& error) {
    // A page that cannot be made must not end the daemon that keeps the weights.
    return std::make_shared<const HttpAnswer>(plain_answer(500, std::string(error.what()) + "\n"));
  }
  if (kept.size() < max_kept) kept.emplace(key, answer);
  return answer;
}

void HttpServer::Shared::accept() {
  // With too many of them whoever comes now waits in the kernel's queue.
  if (connections >= max_connections) return accept_later();
  acceptor.async_accept([this](error_code failure, Protocol::socket socket) {
    if (failure == asio::error::operation_aborted) return;
    if (failure) return accept_later();
    std::make_shared<Connection>(
        std::move(socket), [this](const HttpRequest& request) { return answer_to(request); },
        connections)
        ->read();
    accept();
  });
}

void HttpServer::Shared::accept_later() {
  pause.expires_after(pause_when_full);
  pause.async_wait([this](error_code stopped) {
    if (!stopped) accept();
  });
}

void HttpServer::Shared::run() {
  // An exception ends what it came from, not the daemon.
  while (!io.stopped()) {
    try {
      io.run();
    } catch (const std::exception&) {
      continue;
    }
  }
}

error_code HttpServer::Shared::listen_on(const Protocol::endpoint& endpoint,
                                         const std::string& file) {
  error_code failure;
  acceptor.open(endpoint.protocol(), failure);
  if (failure) return failure;
  const bool is_file = !file.empty();
  if (!is_file) acceptor.set_option(asio::socket_base::reuse_address(true), failure);
  bind_with_mode(acceptor, endpoint, is_file, failure);
  if (failure == asio::error::address_in_use && is_file && is_stale_socket(io, file)) {
    ::unlink(file.c_str());
    bind_with_mode(acceptor, endpoint, is_file, failure);
  }
  if (failure) return failure;
  path = file;
  acceptor.listen(asio::socket_base::max_listen_connections, failure);
  return failure;
}

HttpServer::HttpServer(Handler handler) : shared_(std::make_shared<Shared>(std::move(handler))) {}

HttpServer::~HttpServer() {
  shared_->io.stop();
  if (shared_->thread.joinable()) shared_->thread.join();
  if (!shared_->path.empty()) ::unlink(shared_->path.c_str());
}

tl::expected<void, std::string> HttpServer::open(const std::string& listen) {
  const auto failed = [&](const std::string& why) {
    return tl::make_unexpected(fmt::format("no status page at {}: {}", listen, why));
  };
  const bool is_file = listen.starts_with('/');
  Protocol::endpoint endpoint;
  if (is_file) {
    // sun_path holds 108 bytes with its terminator; Asio throws on more.
    if (listen.size() > 107) return failed("the path is longer than 107 bytes");
    endpoint = asio::local::stream_protocol::endpoint(listen);
  } else {
    const auto key = ipvs::destination_key_from_string(listen);
    if (!key) return failed("it is neither ADDRESS:PORT nor a path");
    endpoint = asio::ip::tcp::endpoint(asio_address(key->address), key->port);
  }
  if (const auto failure = shared_->listen_on(endpoint, is_file ? listen : "")) {
    return failed(failure.message());
  }
  shared_->accept();
  // Signals belong to the control loop.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  shared_->thread = std::thread([shared = shared_.get()] { shared->run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return {};
}

void HttpServer::publish(std::shared_ptr<const Published> published) {
  // What was shown before ends here, or on the other thread: outside of the lock.
  const std::lock_guard lock(shared_->mutex);
  shared_->published.swap(published);
}

unsigned HttpServer::port() const {
  error_code ignored;
  const auto endpoint = shared_->acceptor.local_endpoint(ignored);
  asio::ip::tcp::endpoint tcp;
  if (ignored || endpoint.size() > tcp.capacity()) return 0;
  std::memcpy(tcp.data(), endpoint.data(), endpoint.size());
  return tcp.port();
}

}  // namespace lvs::monitord
