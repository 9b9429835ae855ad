#include "bench/agent_parts.hpp"

#include <unistd.h>

#include <chrono>
#include <stdexcept>

#include "agentproto/lfb1.hpp"
#include "bench/loopback_servers.hpp"
#include "realserver-agent/config/config.hpp"
#include "realserver-agent/snapshot_reader.hpp"

namespace lvs::bench {
namespace {

const std::size_t number = 0;  ///< of the server that this one is

agentproto::Key key() {
  return agentproto::agent_key(master_key(), ipvs::string_from_ip_address(server_address(number)));
}

std::vector<std::uint8_t> request() {
  const auto bytes =
      agentproto::encode_request({.key_id = master_id, .nonce = 1}, agentproto::MacKey(key()));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

AgentParts::AgentParts()
    : sampler_(static_cast<std::uint16_t>(::sysconf(_SC_CLK_TCK))),
      responder_(agent::Config{}, {{master_id, key()}}),
      request_(request()) {}

void AgentParts::take_sample() {
  sampler_.take(agent::read_snapshot(root_, agent::Config{}.drain_file));
}

void AgentParts::answer() {
  // A director comes every 2 s and never meets the rate limit.
  const auto now = std::chrono::seconds{2} * static_cast<std::int64_t>(++asked_);
  const auto answer = responder_.answer(request_, server_address(number + 1),
                                        server_address(number), now, sampler_.last());
  if (answer.outcome != agent::Outcome::answered) {
    throw std::runtime_error("the responder does not answer");
  }
  answered_ += answer.bytes.size();
}

}  // namespace lvs::bench
