#include "monitord/poll_engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agentproto/reading.hpp"

namespace lvs::monitord {
namespace {

/// A nonce lives two cycles: a reply that is later than that says nothing about now.
constexpr int nonce_life_cycles = 2;

/// True when `sample` tells nothing newer than what is known. Clocks of different boots cannot be
/// compared, so there the order of the questions decides.
bool is_old(const agentproto::Sample& known, Moment known_sent, const agentproto::Sample& sample,
            Moment sent) {
  if (sample.boot_id == known.boot_id) return sample.boottime_ns <= known.boottime_ns;
  return sent <= known_sent;
}

}  // namespace

PollEngine::PollEngine(PollSettings settings, NonceSource nonces)
    : settings_(std::move(settings)),
      nonces_(std::move(nonces)),
      schedule_(settings_.interval, settings_.deadline) {}

void PollEngine::reconfigure(PollSettings settings) {
  settings_ = std::move(settings);
  schedule_.set_times(settings_.interval, settings_.deadline);
  for (auto& [server, known] : agents_)
    key(known);
}

void PollEngine::key(Known& known) const {
  known.keys.clear();
  for (const auto& [id, master] : settings_.keys) {
    known.keys.push_back({id, agentproto::MacKey(agentproto::agent_key(master, known.agent.name))});
  }
  std::ranges::sort(known.keys, {}, &LiveKey::id);
  if (!settings_.keys.empty() && key_of(known, known.key_id) == nullptr) {
    known.key_id = settings_.keys.front().id;
  }
}

const PollEngine::LiveKey* PollEngine::key_of(const Known& known, std::uint32_t id) {
  const auto found = std::ranges::find(known.keys, id, &LiveKey::id);
  return found == known.keys.end() ? nullptr : &*found;
}

PollEngine::Known PollEngine::known_from_agent(const Agent& agent) const {
  Known known;
  known.agent = agent;
  known.name_hash = agentproto::hash_of_name(agent.name);
  key(known);
  return known;
}

void PollEngine::begin_cycle(Moment now, std::span<const Agent> agents) {
  forget_dead_nonces(now);
  for (auto& [server, known] : agents_)
    ++known.absences;
  for (const auto& agent : agents) {
    auto found = agents_.find(agent.server);
    if (found != agents_.end() && found->second.agent != agent) {
      readings_.erase(agent.server);
      found = agents_.erase(found);
      found = agents_.end();
    }
    if (found == agents_.end()) {
      found = agents_.emplace(agent.server, known_from_agent(agent)).first;
    }
    found->second.absences = 0;
  }
  std::vector<ipvs::IpAddress> servers;
  for (auto it = agents_.begin(); it != agents_.end();) {
    if (it->second.absences > 1) {
      readings_.erase(it->first);
      it = agents_.erase(it);
    } else {
      servers.push_back(it->first);
      ++it;
    }
  }
  std::ranges::sort(servers);  // each keeps its place in the interval
  if (!settings_.keyless && settings_.keys.empty()) servers.clear();
  schedule_.begin_cycle(now, servers);
}

void PollEngine::forget_dead_nonces(Moment now) {
  std::erase_if(questions_, [&](const auto& entry) {
    return now - entry.second.sent > nonce_life_cycles * settings_.interval;
  });
}

void PollEngine::due(Moment now, std::vector<Datagram>& datagrams) {
  datagrams.clear();
  schedule_.due(now, steps_);
  for (const auto& poll : steps_) {
    if (poll.step == PollStep::give_up) {
      ++counters_.timeouts;
    } else if (auto datagram = question(poll, now)) {
      if (poll.step == PollStep::ask) ++counters_.asked;
      ++counters_.sent;
      datagrams.push_back(*datagram);
    }
  }
}

std::optional<Datagram> PollEngine::question(const DuePoll& poll, Moment now) {
  const auto found = agents_.find(poll.server);
  if (found == agents_.end()) return std::nullopt;
  auto& known = found->second;
  if (poll.step == PollStep::ask) known.asked = now;

  // Every sending has a nonce of its own, so that the age of a reply is bounded by its own request.
  auto nonce = nonces_();
  while (questions_.contains(nonce))
    nonce = nonces_();
  questions_[nonce] = {poll.server, poll.round, now, known.asked + settings_.deadline};

  if (settings_.keyless) {
    return Datagram{known.agent.endpoint, agentproto::encode_request(nonce, agentproto::keyless)};
  }
  auto used = std::ranges::find(known.keys, known.key_id, &LiveKey::id);
  if (poll.step == PollStep::ask_again && ++used == known.keys.end()) used = known.keys.begin();
  return Datagram{known.agent.endpoint, agentproto::encode_request({used->id, nonce}, used->mac)};
}

void PollEngine::received(const Endpoint& from, agentproto::Bytes datagram, Moment now) {
  const auto head = agentproto::peek_reply(datagram);
  if (!head) return decode_failed(head.error(), from, "");

  const auto found = questions_.find(head->nonce);
  const bool alive = found != questions_.end() &&
                     now - found->second.sent <= nonce_life_cycles * settings_.interval;
  const auto agent = alive ? agents_.find(found->second.server) : agents_.end();
  if (agent == agents_.end()) return fault(counters_.bad_nonce, "bad_nonce", from, "");

  auto& known = agent->second;
  const auto& name = known.agent.name;
  // The nonce stays alive: whoever sends this must not be able to silence the true agent.
  if (from != known.agent.endpoint) return fault(counters_.bad_source, "bad_source", from, name);
  const auto reply = decoded(known, head->key_id, datagram);
  if (!reply) return decode_failed(reply.error(), from, name);

  const auto asked = found->second;
  questions_.erase(found);
  ++counters_.answered;
  poll_times_.add(std::chrono::duration<double>(now - asked.sent).count());
  if (now > asked.deadline) ++counters_.late;
  schedule_.answered(asked.server, asked.round);
  if (!settings_.keyless) known.key_id = head->key_id;
  take_sample(known, reply->sample, asked.sent);
}

tl::expected<agentproto::Reply, agentproto::DecodeError> PollEngine::decoded(
    const Known& known, std::uint32_t key_id, agentproto::Bytes datagram) const {
  if (settings_.keyless) {
    return agentproto::decode_reply(datagram, agentproto::keyless, known.name_hash);
  }
  const auto* const key = key_of(known, key_id);
  if (key == nullptr) return tl::make_unexpected(agentproto::DecodeError::bad_mac);
  return agentproto::decode_reply(datagram, key->mac, known.name_hash);
}

void PollEngine::decode_failed(agentproto::DecodeError error, const Endpoint& from,
                               std::string_view agent) {
  switch (error) {
    case agentproto::DecodeError::bad_length:
      return fault(counters_.bad_length, "bad_length", from, agent);
    case agentproto::DecodeError::bad_mac:
      return fault(counters_.bad_mac, "bad_mac", from, agent);
    case agentproto::DecodeError::wrong_name:
      return fault(counters_.bad_name, "bad_name", from, agent);
    case agentproto::DecodeError::bad_magic:
    case agentproto::DecodeError::wrong_type:
    case agentproto::DecodeError::malformed_tlv:
      return fault(counters_.malformed, "malformed", from, agent);
  }
}

void PollEngine::fault(std::uint64_t& counter, std::string_view kind, const Endpoint& from,
                       std::string_view agent) {
  ++counter;
  auto& who = faults_[kind];
  who = string_from_endpoint(from);
  if (!agent.empty()) who.append(" for ").append(agent);
}

void PollEngine::take_sample(Known& known, const agentproto::Sample& sample, Moment sent) {
  const bool first = !known.sample.has_value();
  // The same sample again says that the agent's sampler stands still: the reading keeps its age.
  if (!first && is_old(*known.sample, known.sample_sent, sample, sent)) return;

  const auto measured = agentproto::measured_from_samples(first ? sample : *known.sample, sample);
  Reading reading;
  reading.taken = sent;
  if (!first) reading.cpu_busy = measured.cpu_busy;
  reading.mem_available = measured.mem_available;
  reading.reason = first ? "first sample: CPU occupancy needs two" : measured.reason;
  reading.further = measured.further;
  reading.draining = sample.draining;
  readings_.insert_or_assign(known.agent.server, std::move(reading));
  known.sample = sample;
  known.sample_sent = sent;
}

std::map<std::string_view, std::string> PollEngine::take_faults() {
  return std::exchange(faults_, {});
}

}  // namespace lvs::monitord
