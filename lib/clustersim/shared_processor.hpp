#pragma once

// A real server's CPU and memory: egalitarian processor sharing in virtual time.
//
// All requests in progress advance at the same rate, so a clock that runs at this rate (work per
// request) orders them: a request ends when the clock has moved on by its work. Any change of the
// rate touches the clock alone, every event costs O(log n). With a number of workers only so many
// are in progress, and the others wait in the order in which they came.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

#include "clustersim/scenario.hpp"

namespace lvs::clustersim {

/// Below so much free memory a server pages: its speed falls linearly, down to `thrashing_speed` of
/// it when nothing is free (what is left when the working set comes from a fast disk). Its cores
/// stay busy meanwhile.
inline constexpr double memory_reserve = 0.05;
inline constexpr double thrashing_speed = 0.1;

/// Every `now` is a time in seconds and never before the one of the call before.
class SharedProcessor {
 public:
  explicit SharedProcessor(const Server& server);

  /// `work`: CPU seconds on a core of speed 1; `job`: what completed() says when it is done.
  void add(double now, double work, std::uint32_t job);
  /// Takes out the job that is done at next_completion().
  std::uint32_t completed(double now);
  /// Takes out these jobs, which nobody waits for any more.
  void abandon(double now, const std::unordered_set<std::uint32_t>& jobs);
  /// Takes out all jobs: those in progress in the order in which they would have ended, then those
  /// that wait.
  std::vector<std::uint32_t> aborted(double now);

  void set_background(double now, double share);
  void set_speed(double now, double speed);
  void set_memory_used(double now, double share);

  [[nodiscard]] double next_completion() const { return next_completion_; }  ///< infinity: idle
  [[nodiscard]] std::size_t jobs() const { return jobs_.size() + waiting_.size(); }
  [[nodiscard]] unsigned cores() const { return cores_; }
  [[nodiscard]] double background() const { return background_; }
  [[nodiscard]] double memory_used() const { return memory_used_; }  ///< without the requests
  [[nodiscard]] double free_memory() const;                          ///< M
  /// speed * cores that the requests can have, unless memory is short.
  [[nodiscard]] double capacity() const;
  /// The same with what thrashing leaves of it.
  [[nodiscard]] double effective_capacity() const { return capacity() * thrashing_factor(); }

  /// Since time 0: core seconds that were busy, the neighbour's among them; work done.
  [[nodiscard]] double busy_core_seconds(double now) const;
  [[nodiscard]] double work_done(double now) const;

 private:
  struct Job {
    double end{};  ///< on the virtual clock
    std::uint32_t id{};

    friend bool operator>(const Job& a, const Job& b) {
      return a.end != b.end ? a.end > b.end : a.id > b.id;
    }
  };

  struct Waiting {
    double work{};
    std::uint32_t id{};
  };

  void advance(double now);
  /// Puts to work whom there is a worker for.
  void admit();
  void refresh();
  [[nodiscard]] double thrashing_factor() const;

  double speed_;
  unsigned cores_;
  double memory_used_;
  double memory_per_request_;
  double background_{};

  std::size_t workers_;      ///< 0: no limit
  std::vector<Job> jobs_{};  ///< in progress: heap, earliest end first
  std::deque<Waiting> waiting_{};
  double now_{};
  double clock_{};       ///< virtual: work done per request
  double rate_{};        ///< of the clock, per second
  double busy_cores_{};  ///< now
  double busy_sum_{};
  double work_sum_{};
  double next_completion_;
};

}  // namespace lvs::clustersim
