#include "bench/loopback_agents.hpp"

#include "agentproto/lfb1.hpp"
#include "bench/loopback_servers.hpp"

namespace lvs::bench {

LoopbackAgents::LoopbackAgents(std::size_t servers, double swing) : swing_(swing) {
  agents_.reserve(servers);
  for (std::size_t server = 0; server < servers; ++server) {
    const auto name = ipvs::string_from_ip_address(server_address(server));
    agents_.push_back({agentproto::MacKey(agentproto::agent_key(master_key(), name)),
                       agentproto::hash_of_name(name)});
  }
}

std::vector<std::uint8_t> LoopbackAgents::answer(agentproto::Bytes request, std::size_t server,
                                                 std::uint64_t now_ns) const {
  const auto& agent = agents_[server];
  const auto asked = agentproto::decode_request(request, agent.key);
  if (!asked || asked->key_id != master_id) return {};
  return agentproto::encode_reply(
      {asked->key_id, asked->nonce, agent.name_hash, sample_of(server, now_ns, swing_)}, agent.key);
}

}  // namespace lvs::bench
