#include "bench/agent_process.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "agentproto/lfb1.hpp"
#include "bench/loopback_servers.hpp"

namespace lvs::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto name = "bench";

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

const sockaddr* as_address(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

FileDescriptor udp_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) throw std::system_error(errno, std::generic_category(), "socket");
  return socket;
}

/// A UDP port that was free a moment ago.
std::uint16_t free_port() {
  const auto socket = udp_socket();
  auto local = loopback(0);
  socklen_t length = sizeof local;
  const bool is_bound =
      ::bind(socket.get(), as_address(local), length) == 0 &&
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&local), &length) == 0;
  if (!is_bound) throw std::system_error(errno, std::generic_category(), "bind");
  return ntohs(local.sin_port);
}

FileDescriptor connected(std::uint16_t port) {
  auto socket = udp_socket();
  const timeval patience{0, 500'000};
  const auto to = loopback(port);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(socket.get(), as_address(to), sizeof to) != 0) {
    throw std::system_error(errno, std::generic_category(), "connect");
  }
  return socket;
}

agentproto::Key key() {
  return agentproto::agent_key(master_key(), name);
}

/// The path of its configuration.
std::string configuration(const testing::ScratchFolder& folder, std::uint16_t port) {
  const auto keys = folder.write(
      "keys.yaml",
      fmt::format("keys:\n  - id: {}\n    key: {}\n", master_id, agentproto::hex_from_key(key())));
  ::chmod(keys.c_str(), 0600);
  const auto sample_ms = AgentProcess::sample_interval.count();
  return folder.write("agent.yaml", fmt::format("listen: [127.0.0.1]\nport: {}\nname: {}\n"
                                                "keys: {}\nsample_interval: {}ms\n"
                                                "rate_limit: 1000\nlog: {{level: error}}\n",
                                                port, name, keys, sample_ms));
}

Child started(const std::string& program, const std::string& config) {
  auto child = Child::start({program, "--config", config});
  if (!child) throw std::runtime_error(child.error());
  return *std::move(child);
}

}  // namespace

AgentProcess::AgentProcess(const std::string& program)
    : port_(free_port()),
      socket_(connected(port_)),
      key_(key()),
      child_(started(program, configuration(folder_, port_))) {
  constexpr int attempts = 50;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (ask()) return;
    std::this_thread::sleep_for(100ms);
  }
  throw std::runtime_error(program + " does not answer");
}

bool AgentProcess::ask() {
  const auto request = agentproto::encode_request({master_id, ++nonce_}, key_);
  if (::send(socket_.get(), request.data(), request.size(), 0) < 0) return false;
  std::array<std::uint8_t, 1024> buffer{};
  const auto size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  const auto reply = agentproto::decode_reply(
      agentproto::Bytes(buffer).first(static_cast<std::size_t>(size)), key_, std::nullopt);
  return reply && reply->nonce == nonce_;
}

double AgentProcess::cpu_s() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child_.id(), &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    throw std::runtime_error("the agent's CPU time cannot be read");
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double AgentProcess::cpu_s_per_reading(unsigned readings) {
  const auto before = cpu_s();
  for (unsigned i = 0; i < readings; ++i) {
    std::this_thread::sleep_for(sample_interval);
    if (!ask()) throw std::runtime_error("the agent does not answer any more");
  }
  return (cpu_s() - before) / readings;
}

}  // namespace lvs::bench
