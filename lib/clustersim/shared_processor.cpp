#include "clustersim/shared_processor.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace lvs::clustersim {

SharedProcessor::SharedProcessor(const Server& server)
    : speed_(server.speed),
      cores_(server.cores),
      memory_used_(server.memory_used),
      memory_per_request_(server.memory_per_request),
      workers_(server.workers),
      next_completion_(std::numeric_limits<double>::infinity()) {
  refresh();
}

void SharedProcessor::add(double now, double work, std::uint32_t job) {
  advance(now);
  waiting_.push_back({work, job});
  admit();
  refresh();
}

void SharedProcessor::admit() {
  while (!waiting_.empty() && (workers_ == 0 || jobs_.size() < workers_)) {
    jobs_.push_back({clock_ + waiting_.front().work, waiting_.front().id});
    waiting_.pop_front();
    std::ranges::push_heap(jobs_, std::greater{});
  }
}

std::uint32_t SharedProcessor::completed(double now) {
  advance(now);
  std::ranges::pop_heap(jobs_, std::greater{});
  auto const job = jobs_.back();
  jobs_.pop_back();
  clock_ = std::max(clock_, job.end);  // rounding must not leave it before what has ended
  admit();
  refresh();
  return job.id;
}

void SharedProcessor::abandon(double now, const std::unordered_set<std::uint32_t>& jobs) {
  advance(now);
  std::erase_if(jobs_, [&](const Job& job) { return jobs.contains(job.id); });
  std::ranges::make_heap(jobs_, std::greater{});
  std::erase_if(waiting_, [&](const Waiting& job) { return jobs.contains(job.id); });
  admit();
  refresh();
}

std::vector<std::uint32_t> SharedProcessor::aborted(double now) {
  advance(now);
  std::ranges::sort(jobs_, [](const Job& a, const Job& b) { return b > a; });
  std::vector<std::uint32_t> ids;
  for (auto const& job : jobs_)
    ids.push_back(job.id);
  for (auto const& job : waiting_)
    ids.push_back(job.id);
  jobs_.clear();
  waiting_.clear();
  refresh();
  return ids;
}

void SharedProcessor::set_background(double now, double share) {
  advance(now);
  background_ = share;
  refresh();
}

void SharedProcessor::set_speed(double now, double speed) {
  advance(now);
  speed_ = speed;
  refresh();
}

void SharedProcessor::set_memory_used(double now, double share) {
  advance(now);
  memory_used_ = share;
  refresh();
}

double SharedProcessor::free_memory() const {
  auto const requests = static_cast<double>(jobs());
  return std::clamp(1 - memory_used_ - memory_per_request_ * requests, 0.0, 1.0);
}

double SharedProcessor::capacity() const {
  return speed_ * cores_ * (1 - background_);
}

double SharedProcessor::thrashing_factor() const {
  auto const free = free_memory();
  if (free >= memory_reserve) return 1;
  return thrashing_speed + (1 - thrashing_speed) * free / memory_reserve;
}

double SharedProcessor::busy_core_seconds(double now) const {
  return busy_sum_ + busy_cores_ * (now - now_);
}

double SharedProcessor::work_done(double now) const {
  return work_sum_ + rate_ * static_cast<double>(jobs_.size()) * (now - now_);
}

void SharedProcessor::advance(double now) {
  work_sum_ = work_done(now);
  busy_sum_ = busy_core_seconds(now);
  clock_ += rate_ * (now - now_);
  now_ = now;
}

void SharedProcessor::refresh() {
  auto const requests = static_cast<double>(jobs_.size());
  auto const available = cores_ * (1 - background_);
  auto const used = std::min(requests, available);
  busy_cores_ = used + cores_ * background_;
  rate_ = jobs_.empty() ? 0 : speed_ * thrashing_factor() * used / requests;
  next_completion_ = rate_ > 0 ? now_ + std::max(0.0, jobs_.front().end - clock_) / rate_
                               : std::numeric_limits<double>::infinity();
}

}  // namespace lvs::clustersim
