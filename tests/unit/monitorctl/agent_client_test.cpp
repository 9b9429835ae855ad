// A real socket on loopback and an agent that answers as the test wants.

#include "monitorctl/agent_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agentproto/lfb1.hpp"
#include "monitorctl/commands.hpp"
#include "plainfile/file_descriptor.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
namespace agentproto = lvs::agentproto;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Replies = std::vector<Bytes>;
/// From the request's datagram to the replies that are sent, in order.
using Behaviour = std::function<Replies(const Bytes&)>;

/// Answers until an empty datagram comes.
class LoopbackAgent {
 public:
  explicit LoopbackAgent(Behaviour behaviour)
      : socket_(::socket(AF_INET, SOCK_DGRAM, 0)), behaviour_(std::move(behaviour)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    REQUIRE(::bind(socket_.get(), generic(&address), length) == 0);
    REQUIRE(::getsockname(socket_.get(), generic(&address), &length) == 0);
    address_ = address;
    thread_ = std::thread([this] { serve(); });
  }
  LoopbackAgent(const LoopbackAgent&) = delete;
  LoopbackAgent& operator=(const LoopbackAgent&) = delete;
  ~LoopbackAgent() {
    ::sendto(socket_.get(), "", 0, 0, generic(&address_), sizeof(address_));
    thread_.join();
  }
  [[nodiscard]] Endpoint endpoint() const { return {"127.0.0.1", ntohs(address_.sin_port)}; }

 private:
  static sockaddr* generic(sockaddr_in* address) {
    return static_cast<sockaddr*>(static_cast<void*>(address));
  }

  void serve() {
    while (true) {
      Bytes request(2048);
      sockaddr_in from{};
      socklen_t length = sizeof(from);
      const auto count =
          ::recvfrom(socket_.get(), request.data(), request.size(), 0, generic(&from), &length);
      if (count <= 0) return;
      request.resize(static_cast<std::size_t>(count));
      for (const auto& reply : behaviour_(request)) {
        ::sendto(socket_.get(), reply.data(), reply.size(), 0, generic(&from), length);
      }
    }
  }

  lvs::FileDescriptor socket_;
  Behaviour behaviour_;
  sockaddr_in address_{};
  std::thread thread_{};
};

agentproto::Key key_of(std::uint8_t byte) {
  agentproto::Key key{};
  key.fill(byte);
  return key;
}

Bytes reply_to(const Bytes& request, const std::string& name, std::uint8_t key) {
  agentproto::Reply reply;
  const auto asked = agentproto::peek_request(request);
  reply.key_id = asked->key_id;
  reply.nonce = asked->nonce;
  reply.name_hash = agentproto::hash_of_name(name);
  reply.sample.boottime_ns = 7;
  return agentproto::encode_reply(reply, agentproto::MacKey(key_of(key)));
}

AgentQuestion question_to(const LoopbackAgent& agent) {
  AgentQuestion question;
  question.endpoint = agent.endpoint();
  question.name = "web1";
  question.key_id = 1;
  question.key = key_of(1);
  question.deadline = std::chrono::milliseconds(100);
  return question;
}

AgentFailure failure_with(const Behaviour& behaviour) {
  const LoopbackAgent agent(behaviour);
  const auto answer = ask_agent(question_to(agent));
  REQUIRE_FALSE(answer.has_value());
  return answer.error().kind;
}

}  // namespace

TEST_CASE("agent client: failures are told apart") {
  CHECK(failure_with([](const Bytes&) { return Replies{}; }) == AgentFailure::silent);
  CHECK(failure_with([](const Bytes& asked) { return Replies{reply_to(asked, "web2", 1)}; }) ==
        AgentFailure::wrong_name);
  CHECK(failure_with([](const Bytes& asked) { return Replies{reply_to(asked, "web1", 2)}; }) ==
        AgentFailure::bad_reply);
  CHECK(failure_with([](const Bytes&) {
          return Replies{Bytes{1, 2, 3}};
        }) == AgentFailure::bad_reply);
}

TEST_CASE("agent client: a reply to another question is passed over") {
  CHECK(failure_with([](Bytes asked) {
          asked[23] ^= 1;  // last byte of the nonce
          return Replies{reply_to(asked, "web1", 1)};
        }) == AgentFailure::silent);
}

TEST_CASE("agent client: a good reply counts even after a bad one") {
  const LoopbackAgent agent([](const Bytes& asked) {
    return Replies{Bytes{1, 2, 3}, reply_to(asked, "web1", 2), reply_to(asked, "web1", 1)};
  });
  const auto answer = ask_agent(question_to(agent));
  REQUIRE(answer.has_value());
  CHECK(answer->sample.boottime_ns == 7);
}

TEST_CASE("agent client: the second question is answered where the first was lost") {
  int seen = 0;
  const LoopbackAgent agent([&seen](const Bytes& asked) {
    return ++seen == 1 ? Replies{} : Replies{reply_to(asked, "web1", 1)};
  });
  CHECK(ask_agent(question_to(agent)).has_value());
}

TEST_CASE("agent client: without a key the question and the reply carry none") {
  const LoopbackAgent agent([](const Bytes& asked) {
    const auto request = agentproto::decode_request(asked, agentproto::keyless);
    if (!request) return Replies{};
    agentproto::Reply reply;
    reply.nonce = request->nonce;
    reply.name_hash = agentproto::hash_of_name("web1");
    return Replies{agentproto::encode_reply(reply, agentproto::keyless)};
  });
  auto question = question_to(agent);
  question.key.reset();
  CHECK(ask_agent(question).has_value());
}

TEST_CASE("agent client: a port where nothing listens is told by the host") {
  Endpoint closed;
  {
    const LoopbackAgent agent([](const Bytes&) { return Replies{}; });
    closed = agent.endpoint();
  }
  AgentQuestion question;
  question.endpoint = closed;
  question.name = "web1";
  CHECK(ask_agent(question).error().kind == AgentFailure::refused);
}

TEST_CASE("agent client: probe asks twice and prints what was said") {
  const LoopbackAgent agent([](const Bytes& asked) {
    const auto request = agentproto::decode_request(asked, agentproto::keyless);
    agentproto::Reply reply;
    reply.nonce = request->nonce;
    reply.name_hash = agentproto::hash_of_name("web1");
    reply.sample.memory = agentproto::Memory{1000, 250, 0, 0};
    return Replies{agentproto::encode_reply(reply, agentproto::keyless)};
  });
  ProbeOptions options;
  options.target = string_from_endpoint(agent.endpoint());
  options.name = "web1";
  options.insecure = true;
  options.interval = std::chrono::milliseconds(1);
  const auto printed = run(options);
  CHECK(printed.status == exit_status::ok);
  CHECK(printed.err.empty());
  CHECK(printed.out.find("web1 at " + options.target + " answered in ") == 0);
  CHECK(printed.out.find("  M         0.250  free-memory rate\n") != std::string::npos);
}
