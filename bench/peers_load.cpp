// peers_load FOLDER FIRST COUNT PORT - the load of COUNT real servers whose addresses follow FIRST,
// told in every way that a balancer of bench/peers asks for:
//
//   FIRST.. :PORT                "70%": what is left of the CPU, to whoever connects (agent-check)
//   FOLDER/step, FOLDER/calm     trees with a /proc of the first server and one of all the others,
//                                whose counters go on ten times a second
//   FIRST:PORT+1                 takes a line "90" for the first server's busy percent from now on,
//                                and answers "ok" once it is so
//
// The others stay at 30 %.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/machines.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using lvs::guest::Machine;

constexpr int calm_percent = 30;
constexpr std::chrono::milliseconds tick{10};  // of a CPU of 100 Hz
constexpr int pause_ms = 100;                  // between two looks at the clock

struct Options {
  std::string folder{};
  std::uint32_t first{};  ///< IPv4 address, host order
  std::uint32_t count{};
  std::uint16_t port{};
};

template <typename Number>
Number number_from(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::runtime_error(std::string(text) + " is no number");
  }
  return number;
}

Options options_from(const std::vector<std::string>& words) {
  if (words.size() != 4) throw std::runtime_error("usage: peers_load FOLDER FIRST COUNT PORT");
  in_addr first{};
  if (inet_pton(AF_INET, words[1].c_str(), &first) != 1) {
    throw std::runtime_error(words[1] + " is no IPv4 address");
  }
  return {words[0], ntohl(first.s_addr), number_from<std::uint32_t>(words[2]),
          number_from<std::uint16_t>(words[3])};
}

int listener(std::uint32_t address, std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int one = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(address);
  constexpr int backlog = 64;
  if (bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      listen(socket, backlog) != 0) {
    throw std::runtime_error(std::string("cannot listen: ") + std::strerror(errno));
  }
  return socket;
}

/// The last of `watched` is where orders come in; the first one is the server that they are for.
class Servers {
 public:
  explicit Servers(const Options& options)
      : step_(options.folder + "/step"), calm_(options.folder + "/calm") {
    step_.busy_percent = calm_percent;
    calm_.busy_percent = calm_percent;
    for (std::uint32_t i = 0; i < options.count; ++i)
      watch(listener(options.first + i, options.port));
    watch(listener(options.first, static_cast<std::uint16_t>(options.port + 1)));
  }

  [[noreturn]] void serve() {
    auto passed = Clock::now();
    while (true) {
      if (poll(watched_.data(), watched_.size(), pause_ms) > 0) answer_all();
      const auto ticks = (Clock::now() - passed) / tick;
      if (ticks == 0) continue;
      passed += ticks * tick;
      step_.pass(static_cast<std::uint64_t>(ticks));
      calm_.pass(static_cast<std::uint64_t>(ticks));
    }
  }

 private:
  void watch(int socket) { watched_.push_back({.fd = socket, .events = POLLIN, .revents = 0}); }

  void answer_all() {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      if (watched_[i].revents == 0) continue;
      const int connection = accept4(watched_[i].fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      if (i + 1 == watched_.size()) {
        take_order(connection);
      } else {
        const int busy = i == 0 ? step_.busy_percent.load() : calm_.busy_percent.load();
        say(connection, std::to_string(100 - busy) + "%\n");
      }
      close(connection);
    }
  }

  /// One short line comes in one piece.
  void take_order(int connection) {
    std::array<char, 16> line{};
    const auto got = recv(connection, line.data(), line.size() - 1, 0);
    if (got <= 0) return;
    step_.busy_percent = std::atoi(line.data());
    say(connection, "ok\n");
  }

  static void say(int connection, const std::string& text) {
    (void)send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    shutdown(connection, SHUT_WR);
  }

  Machine step_, calm_;
  std::vector<pollfd> watched_{};
};

}  // namespace

int main(int count, char** values) {
  try {
    Servers(options_from({values + 1, values + count})).serve();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers_load: %s\n", error.what());
    return 1;
  }
}
