#include "monitord/poll_schedule.hpp"

#include <algorithm>
#include <array>

namespace lvs::monitord {

void PollSchedule::Queue::push(const Event& event) {
  if (begin_ == events_.size()) clear();
  // Room that was taken is used again before more is asked for.
  if (events_.size() == events_.capacity() && begin_ > events_.size() / 2) {
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  events_.push_back(event);
  for (auto i = events_.size() - 1; i > begin_ && events_[i].at < events_[i - 1].at; --i)
    std::swap(events_[i], events_[i - 1]);
}

const PollSchedule::Event* PollSchedule::Queue::first() const {
  return begin_ == events_.size() ? nullptr : &events_[begin_];
}

void PollSchedule::Queue::pop() {
  ++begin_;
}

void PollSchedule::Queue::clear() {
  events_.clear();
  begin_ = 0;
}

void PollSchedule::set_times(Moment interval, Moment deadline) {
  interval_ = interval;
  deadline_ = deadline;
}

void PollSchedule::begin_cycle(Moment now, std::span<const ipvs::IpAddress> servers) {
  questions_.clear();
  const auto count = static_cast<Moment::rep>(servers.size());
  Moment::rep rank = 0;
  for (const auto& server : servers) {
    const Moment slot{interval_.count() / count * rank};
    questions_.push({now + slot, {server, PollStep::ask, 0}});
    ++rank;
  }
}

bool PollSchedule::is_open(const DuePoll& poll) const {
  const auto open = open_.find(poll.server);
  return open != open_.end() && open->second == poll.round;
}

/// The queue whose first event is due first. What has its reply is passed over, so that nobody
/// wakes for it.
PollSchedule::Queue* PollSchedule::earliest() {
  Queue* best = nullptr;
  for (auto* queue : std::array{&questions_, &repetitions_, &deadlines_}) {
    while (queue != &questions_ && queue->first() != nullptr && !is_open(queue->first()->poll))
      queue->pop();
    if (queue->first() == nullptr) continue;
    if (best == nullptr || queue->first()->at < best->first()->at) best = queue;
  }
  return best;
}

void PollSchedule::due(Moment now, std::vector<DuePoll>& steps) {
  steps.clear();
  for (auto* queue = earliest(); queue != nullptr && queue->first()->at <= now;
       queue = earliest()) {
    const auto poll = queue->first()->poll;
    queue->pop();
    take(poll, now, steps);
  }
}

void PollSchedule::take(DuePoll poll, Moment now, std::vector<DuePoll>& steps) {
  if (poll.step != PollStep::ask) {
    if (poll.step == PollStep::give_up) open_.erase(poll.server);
    steps.push_back(poll);
    return;
  }
  poll.round = ++rounds_;
  const auto [open, is_new] = open_.try_emplace(poll.server, poll.round);
  if (!is_new) {
    steps.push_back({poll.server, PollStep::give_up, open->second});
    open->second = poll.round;
  }
  steps.push_back(poll);
  // From now, not from the slot: a loop that woke late must not ask twice in one breath.
  repetitions_.push({now + deadline_ / 2, {poll.server, PollStep::ask_again, poll.round}});
  deadlines_.push({now + deadline_, {poll.server, PollStep::give_up, poll.round}});
}

void PollSchedule::answered(const ipvs::IpAddress& server, std::uint64_t round) {
  const auto open = open_.find(server);
  if (open != open_.end() && open->second == round) open_.erase(open);
}

std::optional<Moment> PollSchedule::next() {
  const auto* const queue = earliest();
  if (queue == nullptr) return std::nullopt;
  return queue->first()->at;
}

}  // namespace lvs::monitord
