#pragma once

// Work under the clock, in this process and in others.

#include <chrono>
#include <string>
#include <vector>

namespace lvs::bench {

/// Of one run, start and end of the process included.
struct Spent {
  double wall_ms{};
  double cpu_ms{};  ///< user and system time of the process and of those that it waited for
};

/// Runs a program of $PATH with its output thrown away and waits. `input` is a file, or empty for
/// none. Throws std::runtime_error when the program cannot be started or fails.
Spent spent_by(std::vector<std::string> command, const std::string& input = "");

/// User and system time of this process so far.
double own_cpu_ms();

template <typename Work>
double milliseconds_of(Work work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
  return took.count();
}

}  // namespace lvs::bench
