#include "bench/slow_reader.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "plainfile/file_descriptor.hpp"

namespace lvs::bench {
namespace {

using namespace std::chrono_literals;

constexpr int receive_buffer_bytes = 64 << 10U;  ///< the server is to notice how slow we are
constexpr unsigned pieces_per_second = 20;

/// Not valid: nobody listens (yet).
FileDescriptor connected(std::uint16_t port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) throw std::system_error(errno, std::generic_category(), "socket");
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
               sizeof receive_buffer_bytes);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const address = reinterpret_cast<const sockaddr*>(&to);
  if (::connect(socket.get(), address, sizeof to) != 0) return {};
  return socket;
}

void tell(std::string_view answer) {
  const std::string line(answer.substr(0, answer.find('\r')));
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

/// Reads one page and tells how its answer begins unless that was `told`. False: nobody listens.
bool read_page(std::uint16_t port, std::string_view path, std::size_t bytes_per_piece, bool& told) {
  const auto socket = connected(port);
  if (!socket.valid()) return false;
  const auto request =
      "GET " + std::string(path) + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  const auto sent = ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(request.size())) return false;
  std::string piece(bytes_per_piece, '\0');
  while (true) {
    const auto count = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (count <= 0) return true;
    if (!std::exchange(told, true)) tell({piece.data(), static_cast<std::size_t>(count)});
    std::this_thread::sleep_for(1s / pieces_per_second);
  }
}

}  // namespace

void read_slowly(std::uint16_t port, std::size_t bytes_per_second) {
  constexpr std::array<std::string_view, 2> paths{"/", "/metrics"};
  const auto bytes_per_piece = std::max<std::size_t>(1, bytes_per_second / pieces_per_second);
  bool told = false;
  for (std::size_t turn = 0;; ++turn) {
    if (!read_page(port, paths[turn % paths.size()], bytes_per_piece, told)) {
      std::this_thread::sleep_for(100ms);
    }
  }
}

}  // namespace lvs::bench
