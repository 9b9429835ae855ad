#include "realserver-agent/responder/responder.hpp"

#include <utility>

#include "agentproto/lfb1.hpp"

namespace lvs::agent {
namespace {

/// Directors are few; each costs some 100 bytes.
constexpr std::size_t max_sources = 1024;

Outcome outcome_of(agentproto::DecodeError error) {
  switch (error) {
    case agentproto::DecodeError::bad_length:
      return Outcome::bad_length;
    case agentproto::DecodeError::bad_mac:
      return Outcome::bad_mac;
    case agentproto::DecodeError::bad_magic:
    case agentproto::DecodeError::wrong_type:
    case agentproto::DecodeError::malformed_tlv:
    case agentproto::DecodeError::wrong_name:
      break;
  }
  return Outcome::not_lfb1;
}

}  // namespace

std::string_view string_from_outcome(Outcome outcome) {
  static constexpr std::array<std::string_view, outcome_count> names{
      "bad_length",  "not_lfb1", "not_allowed", "rate_limited",
      "unknown_key", "bad_mac",  "answered"};
  return names[static_cast<std::size_t>(outcome)];
}

Responder::Responder(const Config& config, const std::vector<AgentKey>& keys)
    : keyless_{config.security == Security::none},
      name_{config.name},
      allow_{config.allow},
      rate_limit_{config.rate_limit, max_sources} {
  for (const AgentKey& key : keys)
    keys_.try_emplace(key.id, key.key);
}

void Responder::reconfigure(const Config& config, const std::vector<AgentKey>& keys) {
  Responder next{config, keys};
  next.counts_ = counts_;
  *this = std::move(next);
}

Answer Responder::answer(agentproto::Bytes datagram, const ipvs::IpAddress& source,
                         const ipvs::IpAddress& asked, std::chrono::nanoseconds now,
                         const agentproto::Sample& sample) {
  Answer answer = judge(datagram, source, asked, now, sample);
  ++counts_[static_cast<std::size_t>(answer.outcome)];
  return answer;
}

Answer Responder::judge(agentproto::Bytes datagram, const ipvs::IpAddress& source,
                        const ipvs::IpAddress& asked, std::chrono::nanoseconds now,
                        const agentproto::Sample& sample) {
  const auto request = agentproto::peek_request(datagram);
  if (!request) return {outcome_of(request.error())};
  if (!allow_.empty() && !contains(allow_, source)) return {Outcome::not_allowed};
  // With keys the MAC comes first: whoever has none, under whatever address, must not spend the
  // tokens of those who have one. Without, a token costs less than what follows.
  if (keyless_ && !rate_limit_.take(source, now)) return {Outcome::rate_limited};

  const auto reply = [&] {
    const std::string name = name_ ? *name_ : ipvs::string_from_ip_address(asked);
    return agentproto::Reply{.key_id = request->key_id,
                             .nonce = request->nonce,
                             .name_hash = agentproto::hash_of_name(name),
                             .sample = sample};
  };
  if (keyless_) {
    if (!agentproto::decode_request(datagram, agentproto::keyless)) return {Outcome::bad_mac};
    return {Outcome::answered, agentproto::encode_reply(reply(), agentproto::keyless)};
  }
  const auto key = keys_.find(request->key_id);
  if (key == keys_.end()) return {Outcome::unknown_key};
  if (!agentproto::decode_request(datagram, key->second)) return {Outcome::bad_mac};
  if (!rate_limit_.take(source, now)) return {Outcome::rate_limited};
  return {Outcome::answered, agentproto::encode_reply(reply(), key->second)};
}

}  // namespace lvs::agent
