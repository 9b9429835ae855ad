#pragma once

// What is due when, besides arrivals and completions. Equal times keep the order of their planning.

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace lvs::clustersim {

struct Timer {
  enum class Kind : std::uint8_t {
    event,       ///< of the scenario; subject: index
    ramp,        ///< step of a memory ramp; subject: event
    sample,      ///< an agent reads its counters; subject: server
    question,    ///< the director asks an agent; subject: server
    reply,       ///< an answer arrives; subject: slot of the answer
    health,      ///< keepalived sees a server's change; subject: server
    estimation,  ///< the kernel refreshes its counters
    cycle,       ///< the director decides
    patience,    ///< clients that waited too long give up
    think,       ///< a kept-alive connection sends its next request; subject: connection
  };
  double at{};
  std::uint64_t number{};
  Kind kind{};
  std::uint32_t subject{};

  friend bool operator>(const Timer& a, const Timer& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }
};

class Timers {
 public:
  void set(double at, Timer::Kind kind, std::uint32_t subject = 0) {
    queue_.push({at, planned_++, kind, subject});
  }
  [[nodiscard]] double next() const {
    return queue_.empty() ? std::numeric_limits<double>::infinity() : queue_.top().at;
  }
  Timer pop() {
    auto const timer = queue_.top();
    queue_.pop();
    return timer;
  }

 private:
  std::uint64_t planned_{};
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> queue_{};
};

}  // namespace lvs::clustersim
