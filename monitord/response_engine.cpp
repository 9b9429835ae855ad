#include "monitord/response_engine.hpp"

#include <algorithm>
#include <chrono>

#include "monitord/http_probe.hpp"

namespace lvs::monitord {
namespace {

double seconds(Moment time) {
  return std::chrono::duration<double>(time).count();
}

/// The next whole interval after `now`: turns that were missed are not made up for.
Moment turn_after(Moment turn, Moment interval, Moment now) {
  return turn + ((now - turn) / interval + 1) * interval;
}

}  // namespace

void ResponseEngine::begin_cycle(Moment now, std::span<const ProbeTarget> targets) {
  for (auto& [key, known] : known_)
    ++known.absences;
  const auto places = static_cast<Moment::rep>(targets.size()) + 1;
  Moment::rep place = 0;
  for (const auto& target : targets) {
    ++place;
    const auto found = known_.find(target.key);
    if (found != known_.end() && found->second.target == target) {
      found->second.absences = 0;
      continue;
    }
    if (found != known_.end()) forget(target.key);
    // Between the cycles, not at their beginning: there this thread is busy with the table.
    add(target, now + target.interval / places * place);
  }
  std::vector<TargetKey> gone;
  for (const auto& [key, known] : known_) {
    if (known.absences > 1) gone.push_back(key);
  }
  for (const auto& key : gone)
    forget(key);
}

void ResponseEngine::add(const ProbeTarget& target, Moment next) {
  Known known;
  known.target = target;
  known.next = next;
  known_.insert_or_assign(target.key, std::move(known));
  agenda_.emplace(next, target.key);
}

void ResponseEngine::forget(const TargetKey& key) {
  const auto found = known_.find(key);
  agenda_.erase({found->second.next, key});
  if (const auto id = found->second.open) {
    close(open_.find(*id));
    cancelled_.push_back(*id);
  }
  known_.erase(found);
}

ResponseEngine::Steps ResponseEngine::due(Moment now) {
  Steps steps;
  steps.give_up = std::exchange(cancelled_, {});
  expire(now, steps);
  start(now, steps);
  return steps;
}

void ResponseEngine::expire(Moment now, Steps& steps) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const auto id = deadlines_.begin()->second;
    steps.give_up.push_back(id);
    const auto open = open_.find(id);
    answered(open, open->second.deadline);
  }
}

void ResponseEngine::start(Moment now, Steps& steps) {
  while (open_.size() < most_at_once && !agenda_.empty() && agenda_.begin()->first <= now) {
    auto& known = known_.at(agenda_.begin()->second);
    agenda_.erase(agenda_.begin());
    known.next = turn_after(known.next, known.target.interval, now);
    agenda_.emplace(known.next, known.target.key);
    // One that waited for its turn may be open still when the next turn comes.
    if (known.open || known.absences > 0) continue;

    const auto id = ++last_id_;
    known.open = id;
    open_[id] = {known.target.key, now, now + known.target.deadline, {}, {}};
    deadlines_.emplace(now + known.target.deadline, id);
    ++counters_.sent;
    steps.start.push_back({id, known.target.endpoint});
  }
}

std::optional<Moment> ResponseEngine::next() const {
  std::optional<Moment> next;
  if (!deadlines_.empty()) next = deadlines_.begin()->first;
  if (!agenda_.empty() && open_.size() < most_at_once) {
    const auto turn = agenda_.begin()->first;
    next = next ? std::min(*next, turn) : turn;
  }
  return next;
}

std::string ResponseEngine::connected(ProbeId id, Moment now) {
  const auto open = open_.find(id);
  if (open == open_.end()) return {};
  const auto& request = known_.at(open->second.key).target.request;
  if (request.empty()) answered(open, now);
  return request;
}

bool ResponseEngine::received(ProbeId id, std::string_view bytes, Moment now) {
  const auto found = open_.find(id);
  if (found == open_.end()) return false;
  auto& open = found->second;
  if (!open.first_byte) open.first_byte = now;
  open.reply += bytes;
  const auto line = status_line(open.reply);
  if (line.state == StatusLine::State::incomplete && open.reply.size() <= most_reply_bytes) {
    return true;
  }
  const auto& expect = known_.at(open.key).target.expect;
  if (line.state != StatusLine::State::complete) {
    fault(found, counters_.bad_reply, "bad_reply");
  } else if (line.status < expect.low || line.status > expect.high) {
    fault(found, counters_.bad_status, "bad_status");
  } else {
    answered(found, *open.first_byte);
  }
  return false;
}

void ResponseEngine::failed(ProbeId id, Failure failure) {
  const auto open = open_.find(id);
  if (open == open_.end()) return;
  switch (failure) {
    case Failure::refused:
      return fault(open, counters_.refused, "refused");
    case Failure::unreachable:
      return fault(open, counters_.unreachable, "unreachable");
    case Failure::cut_short:
      return fault(open, counters_.bad_reply, "bad_reply");
  }
}

ResponseEngine::Known& ResponseEngine::close(Opens::iterator open) {
  auto& known = known_.at(open->second.key);
  known.open.reset();
  deadlines_.erase({open->second.deadline, open->first});
  open_.erase(open);
  return known;
}

void ResponseEngine::answered(Opens::iterator open, Moment at) {
  const auto probe = open->second;
  auto& known = close(open);
  // What comes after the deadline, because the host slept or stood still, is as late as a timeout.
  const bool late = at >= probe.deadline;
  known.sum_s += seconds(late ? known.target.deadline : at - probe.started);
  ++known.count;
  known.heard = std::min(at, probe.deadline);
  ++(late ? counters_.timeouts : counters_.answered);
  if (late) faults_["timeout"] = string_from_endpoint(known.target.endpoint);
}

void ResponseEngine::fault(Opens::iterator open, std::uint64_t& counter, std::string_view kind) {
  const auto& known = close(open);
  ++counter;
  faults_[kind] = string_from_endpoint(known.target.endpoint);
}

ResponseTimes ResponseEngine::take_responses(Moment now) {
  ResponseTimes responses;
  for (auto& [key, known] : known_) {
    if (known.count > 0) known.mean_s = known.sum_s / known.count;
    known.sum_s = 0;
    known.count = 0;
    const auto life = 2 * known.target.interval + known.target.deadline;
    if (known.mean_s && now - known.heard <= life) responses.emplace(key, *known.mean_s);
  }
  return responses;
}

std::map<std::string_view, std::string> ResponseEngine::take_faults() {
  return std::exchange(faults_, {});
}

}  // namespace lvs::monitord
