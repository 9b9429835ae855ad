#pragma once

#include <string_view>

#include "unit/monitord/director.hpp"

namespace lvs::monitord::testing {

constexpr auto vip = "tcp:10.9.9.9:80";

/// Three equal servers at weight 10.
inline Director three(std::string_view scheduler = "wlc") {
  auto director = prompt_director({service(
      vip, scheduler, {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}, {"10.0.0.13:80", 10}})});
  director.config.defaults.up_step = 1.0;
  return director;
}

inline void report_all(Director& director, double first, double others) {
  director.report("10.0.0.11", first, 0.8);
  director.report("10.0.0.12", others, 0.8);
  director.report("10.0.0.13", others, 0.8);
}

}  // namespace lvs::monitord::testing
