#pragma once

// What happens to a cluster: the scenario's events, and what keepalived makes of them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clustersim/director.hpp"
#include "clustersim/plant.hpp"
#include "clustersim/traffic.hpp"

namespace lvs::clustersim {

/// keepalived notices after so long that a server is down, or up again. It then writes weight 0, or
/// the weight that the operator means it to have: its base, or what an event wrote since.
inline constexpr double health_check_s = 6;

class Incidents {
 public:
  Incidents(const Scenario& scenario, Plant& plant, Traffic& traffic, Director& director);

  void start();
  void happen(double now, std::size_t event);
  /// A step of an event's memory ramp.
  void ramp(double now, std::size_t event);
  void check_health(double now, std::size_t server);

 private:
  void happen_to(double now, std::size_t server, std::size_t event);
  void set_up(double now, std::size_t server, bool up);
  void operate(std::size_t server, std::uint32_t weight);

  std::vector<Event> events_;
  std::vector<double> ramp_from_;  ///< memory in use when an event's ramp began
  std::vector<std::uint32_t> meant_;
  std::vector<bool> out_;  ///< by keepalived
  Plant& plant_;
  Traffic& traffic_;
  Director& director_;
};

}  // namespace lvs::clustersim
