#pragma once

// Weights on their way: written for a program that takes them to the kernel, and not there yet.
// Until it has, the kernel shows the weight before, which is nobody's edit. Pure.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/orders.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

class FollowedWeights {
 public:
  /// So long the kernel may show the weight before; keepalived was seen to need up to 2 s.
  static constexpr Moment patience = std::chrono::seconds{10};

  /// `before` is what show() made of the kernel's weight last.
  void wrote(const DestinationId& id, std::uint32_t before, std::uint32_t weight, Moment now);

  /// Puts a weight that is on its way into the place of the one before it. Any other weight is
  /// somebody else's, a 0 above all, and stays as the kernel has it; so does the one before once
  /// patience is over, and then notes() tell.
  void show(ipvs::ServiceEntry& entry, Moment now);

  /// Who does not follow.
  [[nodiscard]] std::vector<std::string> notes() const;

  void forget() {
    under_way_.clear();
    lagging_.clear();
  }

 private:
  struct UnderWay {
    std::vector<std::uint32_t> before{};  ///< the kernel may still show any of them
    std::uint32_t weight{};
    Moment at{};
  };

  void show(const DestinationId& id, std::uint32_t& weight, Moment now);

  std::map<DestinationId, UnderWay> under_way_{};
  std::map<DestinationId, std::uint32_t> lagging_{};  ///< what should have been there
};

}  // namespace lvs::monitord
