#include "monitorctl/agent_client.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>

#include "agentproto/lfb1.hpp"
#include "monitorctl/random_bytes.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl {
namespace {

using Clock = std::chrono::steady_clock;

tl::unexpected<AgentError> failed(AgentFailure kind, std::string detail = {}) {
  return tl::make_unexpected(AgentError{kind, std::move(detail)});
}

/// A connected socket takes datagrams of that address alone, and hears of ICMP errors.
tl::expected<FileDescriptor, AgentError> connected(const Endpoint& endpoint) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const auto port = std::to_string(endpoint.port);
  const int error = ::getaddrinfo(endpoint.host.c_str(), port.c_str(), &wanted, &found);
  if (error != 0) return failed(AgentFailure::bad_host, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  FileDescriptor socket{::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (socket.get() < 0 || ::connect(socket.get(), found->ai_addr, found->ai_addrlen) != 0) {
    return failed(AgentFailure::no_route, std::strerror(errno));
  }
  return socket;
}

std::uint64_t random_nonce() {
  std::uint64_t nonce = 0;
  fill_random(std::as_writable_bytes(std::span(&nonce, 1)));
  return nonce;
}

class Asker {
 public:
  explicit Asker(const AgentQuestion& question) : question_(question) {
    if (question.key) key_.emplace(*question.key);
  }

  [[nodiscard]] agentproto::RequestBytes request(std::uint64_t nonce) const {
    if (!key_) return agentproto::encode_request(nonce, agentproto::keyless);
    return agentproto::encode_request({question_.key_id, nonce}, *key_);
  }

  [[nodiscard]] auto decoded(agentproto::Bytes datagram) const {
    const auto name = agentproto::hash_of_name(question_.name);
    return key_ ? agentproto::decode_reply(datagram, *key_, name)
                : agentproto::decode_reply(datagram, agentproto::keyless, name);
  }

 private:
  const AgentQuestion& question_;
  std::optional<agentproto::MacKey> key_{};
};

AgentFailure failure_of(agentproto::DecodeError error) {
  return error == agentproto::DecodeError::wrong_name ? AgentFailure::wrong_name
                                                      : AgentFailure::bad_reply;
}

/// Waits for a reply to `nonce`. What is no such reply is remembered as the reason and passed over.
tl::expected<agentproto::Sample, AgentError> awaited(const FileDescriptor& socket,
                                                     const Asker& asker, std::uint64_t nonce,
                                                     Clock::time_point until) {
  AgentError reason{AgentFailure::silent, ""};
  std::array<std::uint8_t, 2048> buffer{};
  while (true) {
    pollfd waiting{socket.get(), POLLIN, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    const int found = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (found == 0) return tl::make_unexpected(reason);
    const auto count = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return failed(errno == ECONNREFUSED ? AgentFailure::refused : AgentFailure::no_route,
                    std::strerror(errno));
    }
    const agentproto::Bytes datagram(buffer.data(), static_cast<std::size_t>(count));
    const auto seen = agentproto::peek_reply(datagram);
    if (seen && seen->nonce != nonce) continue;
    const auto reply = asker.decoded(datagram);
    if (reply) return reply->sample;
    reason = {failure_of(reply.error()),
              std::string(agentproto::string_from_decode_error(reply.error()))};
  }
}

}  // namespace

tl::expected<AgentAnswer, AgentError> ask_agent(const AgentQuestion& question) {
  const auto socket = connected(question.endpoint);
  if (!socket) return tl::make_unexpected(socket.error());
  const Asker asker(question);
  AgentError last{AgentFailure::silent, ""};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto nonce = random_nonce();
    const auto request = asker.request(nonce);
    const auto begin = Clock::now();
    if (::send(socket->get(), request.data(), request.size(), 0) < 0) {
      last = {errno == ECONNREFUSED ? AgentFailure::refused : AgentFailure::no_route,
              std::strerror(errno)};
      continue;
    }
    const auto sample = awaited(*socket, asker, nonce, begin + question.deadline);
    if (sample) {
      const auto taken = Clock::now() - begin;
      return AgentAnswer{*sample, std::chrono::duration_cast<std::chrono::microseconds>(taken)};
    }
    last = sample.error();
  }
  return tl::make_unexpected(last);
}

}  // namespace lvs::monitorctl
