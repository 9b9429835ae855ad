#pragma once

// A real server's agent, and what the director makes of its answers.

#include <cstdint>
#include <optional>

#include "clustersim/random.hpp"
#include "clustersim/scenario.hpp"
#include "clustersim/shared_processor.hpp"
#include "monitord/reading.hpp"

namespace lvs::clustersim {

/// Seconds of simulated time on the director's clock. It does not start at 0, which means "never".
monitord::Moment moment_from_seconds(double seconds);

/// What an agent says: counters as of its last sampling.
struct Sample {
  double taken_s{};
  std::uint32_t boot{};        ///< counters of two boots are not compared
  double busy_core_seconds{};  ///< since time 0
  double free_memory{};        ///< M
  double load_average{};       ///< of a minute
  double processes{};          ///< requests in progress
};

class Agent {
 public:
  /// Samples once a second from `phase` on.
  Agent(const SharedProcessor& server, const AgentBehaviour& behaviour, Random random);

  [[nodiscard]] double phase() const { return phase_; }
  void sample(double now, const SharedProcessor& server);
  void rebooted() { ++latest_.boot; }
  void set_answers(bool answers) { answers_ = answers; }

  /// Delay after which the answer to a question reaches the director; empty: it never does. A
  /// question that stays unanswered is asked once more half a deadline later. A server that was
  /// busy for the last second answers 150 ms late in the median, up to a second.
  [[nodiscard]] std::optional<double> answer_delay(std::uint64_t question, double deadline_s) const;
  [[nodiscard]] const Sample& latest() const { return latest_; }

 private:
  [[nodiscard]] bool saturated() const;

  AgentBehaviour behaviour_;
  Random random_;
  double phase_;
  unsigned cores_;
  bool answers_{true};
  Sample before_{};
  Sample latest_{};
};

/// The director's side of one agent.
class Reader {
 public:
  explicit Reader(unsigned cores) : cores_(cores) {}

  /// The reading that this answer makes, together with the last one; empty: nothing new in it.
  std::optional<monitord::Reading> reading(const Sample& sample);

 private:
  unsigned cores_;
  std::optional<Sample> last_{};
};

}  // namespace lvs::clustersim
