#include "bench/scale_window.hpp"

#include <ctime>

namespace lvs::bench {
namespace {

/// User and system time. Not getrusage(2), which is up to a tick behind for a thread that runs.
double cpu_s(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double ms_of(monitord::Moment time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

double process_cpu_s() {
  return cpu_s(CLOCK_PROCESS_CPUTIME_ID);
}

double thread_cpu_s() {
  return cpu_s(CLOCK_THREAD_CPUTIME_ID);
}

ScaleWindow::Snapshot ScaleWindow::snapshot(const monitord::CycleTimes& times,
                                            const monitord::CycleReport& report) const {
  return {times.ended, process_cpu_s(), thread_cpu_s(), table_s_(), report.polls, report.writes};
}

bool ScaleWindow::take(const monitord::CycleTimes& times, const monitord::CycleReport& report) {
  if (++seen_ < size_.warm_up) return false;
  if (seen_ == size_.warm_up) {
    begin_ = snapshot(times, report);
    return false;
  }
  end_ = snapshot(times, report);
  const auto took = times.ended - times.begun;
  const auto lateness = times.begun - times.deadline;
  cycles_ms_.push_back(ms_of(took));
  lateness_ms_.push_back(ms_of(lateness));
  if (lateness > late_after || took > size_.interval) ++late_;
  return std::chrono::duration<double>(end_.at - begin_.at).count() >= size_.seconds;
}

ScaleRow ScaleWindow::row(std::size_t servers) const {
  ScaleRow row;
  row.servers = servers;
  row.seconds = std::chrono::duration<double>(end_.at - begin_.at).count();
  row.cycles = cycles_ms_.size();
  if (row.cycles == 0) return row;
  const auto cpu = end_.process_s - begin_.process_s;
  row.cpu_share = cpu / row.seconds;
  row.control_share = (end_.thread_s - begin_.thread_s) / row.seconds;
  row.table_share = (end_.table_s - begin_.table_s) / row.seconds;
  row.cycle_ms = spread_of(cycles_ms_);
  row.lateness_ms = spread_of(lateness_ms_);
  row.late = late_;
  row.asked = end_.polls.asked - begin_.polls.asked;
  row.answered = end_.polls.answered - begin_.polls.answered;
  row.timeouts = end_.polls.timeouts - begin_.polls.timeouts;
  row.writes = end_.writes - begin_.writes;
  if (row.answered > 0) row.us_per_poll = 1e6 * cpu / static_cast<double>(row.answered);
  return row;
}

}  // namespace lvs::bench
