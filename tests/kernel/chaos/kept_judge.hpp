#pragma once

// The judge of a service that keepalived owns. When it writes is not known, only what: 0 for a
// server that fails its check, and the weight of its file for one that is back. Pure.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/chaos/judge.hpp"
#include "kernel/chaos/settings.hpp"

namespace lvs::chaos {

class KeptJudge {
 public:
  explicit KeptJudge(std::uint32_t weight) : weight_(weight) {}

  void look(Moment at, const std::map<std::string, Destination>& now);
  void start_again(Moment at, const std::map<std::string, Destination>& now);

  /// A 0 that is younger may have fallen into monitord's window, and shown itself for a moment.
  static constexpr Moment young = 2 * Judge::window;
  /// monitord steers what was given back from the cycle after the one that has seen it on.
  static constexpr Moment blink = interval;

  [[nodiscard]] const std::vector<std::string>& broken() const { return broken_; }
  [[nodiscard]] std::size_t failures() const { return failures_; }  ///< weights set to 0
  [[nodiscard]] std::size_t returns() const { return returns_; }
  /// Given back and steered on between two looks: the observer waited for a busy machine.
  [[nodiscard]] std::size_t unseen() const { return unseen_; }
  [[nodiscard]] std::size_t lost() const { return lost_; }  ///< zeros written over while young

 private:
  void judge(const std::string& name, Moment at, const Destination& before,
             const Destination& after);
  void judge_end_of_zero(const std::string& name, Moment at, std::uint32_t weight);

  std::uint32_t weight_;
  std::map<std::string, Destination> last_{};
  std::map<std::string, Moment> zero_since_{};
  std::vector<std::string> broken_{};
  Moment looked_{};  ///< the look before
  std::size_t failures_{}, returns_{}, lost_{}, unseen_{};
};

}  // namespace lvs::chaos
