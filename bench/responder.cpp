// responder - the agents of many real servers, one process for all of them: one socket takes what
// is sent to any address of 127/8 and answers from the address that was asked. Prints its port and
// answers until it is ended; it ends with the process that started it.

#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "bench/loopback_agents.hpp"
#include "bench/loopback_servers.hpp"
#include "cli/exit_status.hpp"
#include "plainfile/file_descriptor.hpp"

namespace {

namespace bench = lvs::bench;
namespace exit_status = lvs::cli::exit_status;
using lvs::FileDescriptor;

/// Datagrams that one system call moves.
constexpr unsigned batch = 64;
constexpr int buffer_bytes = 8 << 20U;

struct Options {
  std::size_t servers{1};
  std::uint16_t port{};
  double swing{0.3};
};

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

std::uint64_t boottime_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// One request and the reply to it.
struct Exchange {
  std::array<std::uint8_t, 1024> request{};
  std::vector<std::uint8_t> reply{};
  sockaddr_in peer{};
  iovec piece{};
  /// Room for IP_PKTINFO.
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(in_pktinfo))> control{};
};

msghdr header_of(Exchange& exchange, void* bytes, std::size_t size) {
  exchange.piece = {bytes, size};
  msghdr header{};
  header.msg_name = &exchange.peer;
  header.msg_namelen = sizeof exchange.peer;
  header.msg_iov = &exchange.piece;
  header.msg_iovlen = 1;
  header.msg_control = exchange.control.data();
  header.msg_controllen = exchange.control.size();
  return header;
}

/// The address that a datagram was sent to.
std::optional<in_addr> asked_of(msghdr& header) {
  for (auto* item = CMSG_FIRSTHDR(&header); item != nullptr; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != IPPROTO_IP || item->cmsg_type != IP_PKTINFO) continue;
    in_pktinfo info{};
    std::memcpy(&info, CMSG_DATA(item), sizeof info);
    return info.ipi_addr;
  }
  return std::nullopt;
}

/// `header` leaves from `source`.
void set_source(msghdr& header, in_addr source) {
  in_pktinfo info{};
  info.ipi_spec_dst = source;
  auto* const item = CMSG_FIRSTHDR(&header);
  item->cmsg_level = IPPROTO_IP;
  item->cmsg_type = IP_PKTINFO;
  item->cmsg_len = CMSG_LEN(sizeof info);
  std::memcpy(CMSG_DATA(item), &info, sizeof info);
}

lvs::ipvs::IpAddress address_from(in_addr in) {
  lvs::ipvs::IpAddress address;
  std::memcpy(address.bytes.data(), &in, sizeof in);
  return address;
}

class Responder {
 public:
  explicit Responder(const Options& options)
      : agents_(options.servers, options.swing), socket_(bound(options.port)) {}

  [[nodiscard]] unsigned port() const {
    sockaddr_in local{};
    socklen_t length = sizeof local;
    if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&local), &length) != 0) {
      fail("getsockname");
    }
    return ntohs(local.sin_port);
  }

  /// Waits for requests and answers them.
  void turn() {
    const auto count = receive();
    unsigned answered = 0;
    const auto now = boottime_ns();
    for (unsigned i = 0; i < count; ++i) {
      if (answer(exchanges_[i], headers_[i], now)) headers_[answered++] = headers_[i];
    }
    send(answered);
  }

 private:
  /// Of the wildcard address, since no other one takes what is sent to all of 127/8; nothing that
  /// comes from elsewhere is heard.
  static FileDescriptor bound(std::uint16_t port) {
    FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket.valid()) fail("socket");
    const int on = 1;
    constexpr std::array<char, 3> loopback{"lo"};
    const bool is_set =
        ::setsockopt(socket.get(), IPPROTO_IP, IP_PKTINFO, &on, sizeof on) == 0 &&
        ::setsockopt(socket.get(), SOL_SOCKET, SO_BINDTODEVICE, loopback.data(), 2) == 0;
    if (!is_set) fail("setsockopt");
    for (const int option : {SO_RCVBUF, SO_RCVBUFFORCE})  // the second one is root's
      ::setsockopt(socket.get(), SOL_SOCKET, option, &buffer_bytes, sizeof buffer_bytes);
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_port = htons(port);
    const auto* const address = reinterpret_cast<const sockaddr*>(&local);
    if (::bind(socket.get(), address, sizeof local) != 0) fail("bind");
    return socket;
  }

  unsigned receive() {
    for (unsigned i = 0; i < batch; ++i) {
      auto& exchange = exchanges_[i];
      headers_[i] = {header_of(exchange, exchange.request.data(), exchange.request.size()), 0};
    }
    const int count = ::recvmmsg(socket_.get(), headers_.data(), batch, MSG_WAITFORONE, nullptr);
    if (count < 0 && errno != EINTR) fail("recvmmsg");
    return count > 0 ? static_cast<unsigned>(count) : 0;
  }

  /// Makes `message` the reply to what it holds; false: there is none.
  bool answer(Exchange& exchange, mmsghdr& message, std::uint64_t now) {
    const auto asked = asked_of(message.msg_hdr);
    if (!asked) return false;
    const auto server = bench::server_at(address_from(*asked));
    if (!server || *server >= agents_.size()) return false;
    const lvs::agentproto::Bytes request(exchange.request);
    exchange.reply = agents_.answer(request.first(message.msg_len), *server, now);
    if (exchange.reply.empty()) return false;
    message = {header_of(exchange, exchange.reply.data(), exchange.reply.size()), 0};
    set_source(message.msg_hdr, *asked);
    return true;
  }

  void send(unsigned count) {
    unsigned done = 0;
    while (done < count) {
      const int sent = ::sendmmsg(socket_.get(), &headers_[done], count - done, 0);
      if (sent < 0 && errno == EINTR) continue;
      // An error is that of the first one: lost, as datagrams may be.
      done += sent > 0 ? static_cast<unsigned>(sent) : 1;
    }
  }

  bench::LoopbackAgents agents_;
  FileDescriptor socket_;
  std::array<Exchange, batch> exchanges_{};
  std::array<mmsghdr, batch> headers_{};
};

int run(int count, char** values) {
  Options options;
  CLI::App app{"Answers as the agents of many real servers on 127.64.0.1 and on", "responder"};
  app.add_option("--servers", options.servers, "How many")
      ->check(CLI::Range(std::size_t{1}, bench::most_servers))
      ->capture_default_str();
  app.add_option("--port", options.port, "UDP port; 0: any")->capture_default_str();
  app.add_option("--swing", options.swing, "By which share of itself the load of each moves")
      ->check(CLI::Range(0.0, bench::most_swing))
      ->capture_default_str();
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  Responder responder(options);
  std::printf("%u\n", responder.port());
  std::fflush(stdout);
  while (true)
    responder.turn();
}

}  // namespace

int main(int count, char** values) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "responder: %s\n", error.what());
    return exit_status::failure;
  }
}
