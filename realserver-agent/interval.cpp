#include "realserver-agent/interval.hpp"

#include "strictyaml/duration.hpp"
#include "strictyaml/words.hpp"

namespace lvs::agent {

using namespace std::chrono_literals;

tl::expected<std::chrono::nanoseconds, std::string> interval_from_text(std::string_view text) {
  // Shorter than a tick of the slowest clock (100 Hz) nothing is counted.
  constexpr std::chrono::nanoseconds least = 10ms;
  constexpr std::chrono::nanoseconds most = 1h;
  const auto duration = strictyaml::duration_ns_from_string(text);
  if (duration && *duration >= least.count() && *duration <= most.count()) {
    return std::chrono::nanoseconds{*duration};
  }
  return tl::unexpected<std::string>{
      strictyaml::in_quotes(text) + " is no time from 10ms to 1h with its unit: 500ms, 2s, 5m, 1h"};
}

}  // namespace lvs::agent
