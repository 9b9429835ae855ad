#pragma once

// The director: asks the agents, reads the kernel's table, lets the policy decide, writes.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clustersim/agent.hpp"
#include "clustersim/plant.hpp"
#include "clustersim/policy.hpp"
#include "clustersim/tally.hpp"

namespace lvs::clustersim {

class Director {
 public:
  Director(const Scenario& scenario, std::uint64_t seed, double deadline_s, Plant& plant,
           Tally& tally, WeightPolicy& policy);

  /// Plans the first timers and lets the policy set its weights for time 0.
  void start();
  void sample(double now, std::size_t server);
  void ask(double now, std::size_t server);
  void take_reply(std::size_t slot);
  /// The estimator's tick.
  void refresh_counters(double now);
  void cycle(double now);
  /// A server or a weight was changed by somebody else.
  void changed(double now);
  void set_agent_answers(std::size_t server, bool answers) { agents_[server].set_answers(answers); }
  void rebooted(std::size_t server) { agents_[server].rebooted(); }

 private:
  struct Answer {
    std::uint32_t server{};
    Sample sample{};
  };

  void plan_questions(double now);
  void observe(double now);
  void observe_responses();
  [[nodiscard]] Sight sight();
  void write(double now, const WeightWrites& writes);

  double interval_s_;
  double deadline_s_;
  double estimation_phase_s_;
  Plant& plant_;
  Tally& tally_;
  WeightPolicy& policy_;
  std::vector<Agent> agents_{};
  std::vector<Reader> readers_{};
  std::uint64_t cycles_{};
  std::vector<Answer> answers_{};  ///< on their way
  std::vector<std::uint32_t> free_{};
  monitord::Observations seen_{};
  std::vector<std::vector<std::size_t>> servers_{};  ///< of the table's destinations
  std::vector<double> capacities_;
};

}  // namespace lvs::clustersim
