#pragma once

// What exists in one simulated cluster: servers, the kernel's services, and what is due.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/earliest.hpp"
#include "clustersim/scenario.hpp"
#include "clustersim/shared_processor.hpp"
#include "clustersim/timers.hpp"
#include "clustersim/virtual_service.hpp"

namespace lvs::clustersim {

class Plant {
 public:
  /// `scheduler` of the first service; `shortest_queue`: an oracle dispatches in place of every
  /// scheduler. `clients`: how many there are for persistence.
  Plant(const Scenario& scenario, const std::string& scheduler, bool shortest_queue,
        std::size_t clients);
  Plant(const Plant&) = delete;  // an oracle looks at these processors
  Plant& operator=(const Plant&) = delete;
  ~Plant() = default;

  /// To be called after every change of a processor.
  void touched(std::size_t server) {
    completions.set(server, processors[server].next_completion());
  }
  /// What the requests can have of a server now, thrashing aside; 0 while it is down.
  [[nodiscard]] double capacity(std::size_t server) const {
    return up[server] ? processors[server].capacity() : 0;
  }

  std::vector<SharedProcessor> processors{};
  std::vector<bool> up{};
  std::vector<std::uint32_t> boots{};  ///< how often each server was started again
  std::vector<VirtualService> services{};
  Earliest completions;
  Timers timers{};
};

}  // namespace lvs::clustersim
