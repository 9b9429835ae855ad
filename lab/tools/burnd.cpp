// burnd NAME PORT WORK [THREADS [KIB]] - an HTTP server that spends CPU on every request.
//
// WORK is a number of work units; a unit is a fixed amount of integer arithmetic (about 1 us
// of a whole core of 2020), so that a throttled or crowded server really takes longer.
// THREADS workers (default 64) share the CPU; further connections wait in the listen queue.
// With KIB every request holds so much memory while it is worked on, and has written to all of it.
// Answers "NAME" to any request. HTTP/1.1 requests leave the connection open: it then holds a
// worker until the client closes it.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "request_memory.hpp"

namespace {

using lvs::lab::RequestMemory;

constexpr int listen_backlog = 1024;
constexpr std::uint64_t rounds_per_unit = 560;

struct Options {
  std::string name{};
  std::uint16_t port{};
  std::uint64_t work{};
  unsigned threads{64};
  std::size_t kib{};
};

template <typename Number>
bool parse(std::string_view text, Number& number) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::optional<Options> options_from_arguments(const std::vector<std::string_view>& arguments) {
  if (arguments.size() < 3 || arguments.size() > 5) return std::nullopt;
  Options options{.name = std::string(arguments[0])};
  bool valid = parse(arguments[1], options.port) && parse(arguments[2], options.work);
  if (arguments.size() > 3) valid = valid && parse(arguments[3], options.threads);
  if (arguments.size() > 4) valid = valid && parse(arguments[4], options.kib);
  if (!valid || options.threads == 0) return std::nullopt;
  return options;
}

/// xorshift64; the result is returned so that the compiler cannot drop the work.
std::uint64_t burn(std::uint64_t units) {
  std::uint64_t x = 88172645463325252U;
  for (std::uint64_t i = 0; i < units * rounds_per_unit; ++i) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
  }
  return x;
}

/// Listens on both families, or on IPv4 alone in a kernel without IPv6. -1 with errno set.
int listen_on(std::uint16_t port) {
  int const one = 1;
  int const zero = 0;
  int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool const dual = fd >= 0;
  if (!dual) fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);

  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  any6.sin6_port = htons(port);
  sockaddr_in any4{};
  any4.sin_family = AF_INET;
  any4.sin_port = htons(port);
  if (dual) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
  int const bound = dual ? bind(fd, reinterpret_cast<const sockaddr*>(&any6), sizeof any6)
                         : bind(fd, reinterpret_cast<const sockaddr*>(&any4), sizeof any4);
  if (bound != 0 || listen(fd, listen_backlog) != 0) return -1;
  return fd;
}

std::string answer_with(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// One request; true when the connection may bring another one.
bool serve_one(int connection, std::uint64_t work, RequestMemory& memory,
               const std::string& answer) {
  std::array<char, 2048> request;
  auto const got = recv(connection, request.data(), request.size(), 0);
  if (got <= 0) return false;
  {
    RequestMemory::Hold const held(memory);
    [[maybe_unused]] std::uint64_t const volatile sink = burn(work);
  }
  // A client that has gone away is its own affair.
  if (send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return false;
  std::string_view const text(request.data(), static_cast<std::size_t>(got));
  return text.find(" HTTP/1.1\r\n") != std::string_view::npos;
}

void serve(int connection, std::uint64_t work, RequestMemory& memory, const std::string& answer) {
  timeval const patience{.tv_sec = 10, .tv_usec = 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  while (serve_one(connection, work, memory, answer)) {
  }
  shutdown(connection, SHUT_WR);
}

[[noreturn]] void work_for_ever(int listener, const Options& options, RequestMemory& memory) {
  std::string const answer = answer_with(options.name + "\n");
  for (;;) {
    int const connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    serve(connection, options.work, memory, answer);
    close(connection);
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto const options = options_from_arguments({argv + 1, argv + argc});
  if (!options) {
    std::fputs("usage: burnd NAME PORT WORK [THREADS [KIB]]\n", stderr);
    return 2;
  }
  int const listener = listen_on(options->port);
  if (listener < 0) {
    std::fprintf(stderr, "burnd: port %d: %s\n", options->port, std::strerror(errno));
    return 1;
  }
  constexpr std::size_t bytes_per_kib = 1024;
  RequestMemory memory(bytes_per_kib * options->kib);
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < options->threads; ++i) {
    workers.emplace_back([&] { work_for_ever(listener, *options, memory); });
  }
  work_for_ever(listener, *options, memory);
}
