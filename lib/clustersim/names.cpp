#include "clustersim/names.hpp"

namespace lvs::clustersim {

const std::vector<std::string>& scheduler_names() {
  static const std::vector<std::string> names{"wrr", "wlc", "sed", "nq", "rr", "mh"};
  return names;
}

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{"capacity",
                                              "headroom",
                                              "feedback",
                                              "response",
                                              "linear",
                                              "equal",
                                              "static",
                                              "clairvoyant",
                                              "best-static",
                                              "jsq",
                                              "qps-over-utilisation"};
  return names;
}

}  // namespace lvs::clustersim
