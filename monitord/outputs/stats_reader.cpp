#include "monitord/outputs/stats_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;

/// HAProxy answers thousands of servers within some milliseconds.
constexpr std::chrono::seconds answer_time{1};

}  // namespace

/// From the connection to the end of the answer. Keeps itself alive through its handlers.
class StatsReader::Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  using Done = std::function<void(const std::string& text, const std::string& problem)>;

  Conversation(asio::io_context& io, Done done) : socket_(io), timer_(io), done_(std::move(done)) {}

  void start(const std::string& path) {
    timer_.expires_after(answer_time);
    timer_.async_wait([self = shared_from_this()](error_code stopped) {
      if (!stopped) self->end("it does not answer in time");
    });
    socket_.async_connect(stream_protocol::endpoint(path),
                          [self = shared_from_this()](error_code failure) {
                            if (failure) return self->end(failure.message());
                            self->ask();
                          });
  }

  /// Nobody wants to know any more.
  void drop() {
    done_ = nullptr;
    end({});
  }

 private:
  void ask() {
    asio::async_write(socket_, asio::buffer(stats_command),
                      [self = shared_from_this()](error_code failure, std::size_t) {
                        if (failure) return self->end(failure.message());
                        self->read();
                      });
  }

  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code failure, std::size_t size) {
                              self->text_.append(self->buffer_.data(), size);
                              // Without a prompt HAProxy closes behind its answer.
                              if (failure == asio::error::eof) return self->end({});
                              if (failure) return self->end(failure.message());
                              if (self->text_.size() > longest_stats)
                                return self->end("its answer has no end");
                              self->read();
                            });
  }

  void end(const std::string& problem) {
    error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
    if (const auto done = std::exchange(done_, nullptr)) done(text_, problem);
  }

  stream_protocol::socket socket_;
  asio::steady_timer timer_;
  Done done_;
  std::string text_{};
  std::array<char, 16384> buffer_{};
};

StatsReader::StatsReader(asio::io_context& io, Sink sink) : io_(io), sink_(std::move(sink)) {}

StatsReader::~StatsReader() {
  configure({});
}

void StatsReader::configure(std::set<std::string> sockets) {
  for (auto& [path, conversation] : sockets_) {
    if (conversation && !sockets.contains(path)) conversation->drop();
  }
  std::erase_if(sockets_, [&](const auto& item) { return !sockets.contains(item.first); });
  std::erase_if(problems_, [&](const auto& item) { return !sockets.contains(item.first); });
  for (const auto& path : sockets)
    sockets_.try_emplace(path);
}

void StatsReader::begin_cycle() {
  for (auto& [path, conversation] : sockets_) {
    if (conversation) continue;
    conversation = std::make_shared<Conversation>(
        io_, [this, socket = path](const std::string& text, const std::string& problem) {
          ended(socket, text, problem);
        });
    conversation->start(path);
  }
}

void StatsReader::ended(const std::string& socket, const std::string& text,
                        const std::string& problem) {
  sockets_[socket].reset();
  const auto stats = stats_from_csv(text);
  if (problem.empty() && stats) {
    ++counters_.read;
    problems_.erase(socket);
    return sink_(socket, *stats);
  }
  ++counters_.failed;
  problems_[socket] = problem.empty() ? stats.error() : problem;
}

std::vector<std::string> StatsReader::notes() const {
  std::vector<std::string> notes;
  for (const auto& [socket, problem] : problems_) {
    notes.push_back(fmt::format("no counters from HAProxy's stats socket {}: {}", socket, problem));
  }
  return notes;
}

}  // namespace lvs::monitord
