#include "monitord/poll_schedule.hpp"

namespace lvs::monitord {

void PollSchedule::set_times(Moment interval, Moment deadline) {
  interval_ = interval;
  deadline_ = deadline;
}

void PollSchedule::begin_cycle(Moment now, std::span<const ipvs::IpAddress> servers) {
  ++cycle_;
  const auto count = static_cast<Moment::rep>(servers.size());
  Moment::rep rank = 0;
  for (const auto& server : servers) {
    const Moment slot{interval_.count() / count * rank};
    events_.push({now + slot, cycle_, {server, PollStep::ask, 0}});
    ++rank;
  }
}

void PollSchedule::due(Moment now, std::vector<DuePoll>& steps) {
  steps.clear();
  while (!events_.empty() && events_.top().at <= now) {
    const auto event = events_.top();
    events_.pop();
    take(event, now, steps);
  }
}

void PollSchedule::take(const Event& event, Moment now, std::vector<DuePoll>& steps) {
  auto poll = event.poll;
  const auto open = open_.find(poll.server);
  if (poll.step == PollStep::ask) {
    if (event.cycle != cycle_) return;
    if (open != open_.end()) steps.push_back({poll.server, PollStep::give_up, open->second});
    poll.round = ++rounds_;
    open_[poll.server] = poll.round;
    steps.push_back(poll);
    // From now, not from the slot: a loop that woke late must not ask twice in one breath.
    events_.push({now + deadline_ / 2, cycle_, {poll.server, PollStep::ask_again, poll.round}});
    events_.push({now + deadline_, cycle_, {poll.server, PollStep::give_up, poll.round}});
    return;
  }
  if (open == open_.end() || open->second != poll.round) return;
  if (poll.step == PollStep::give_up) open_.erase(open);
  steps.push_back(poll);
}

void PollSchedule::answered(const ipvs::IpAddress& server, std::uint64_t round) {
  const auto open = open_.find(server);
  if (open != open_.end() && open->second == round) open_.erase(open);
}

std::optional<Moment> PollSchedule::next() const {
  if (events_.empty()) return std::nullopt;
  return events_.top().at;
}

}  // namespace lvs::monitord
