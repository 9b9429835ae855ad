#pragma once

// What another configuration would have done: recorded cycles through the very decide() of the
// daemon. Pure.
//
// Connections and readings stay as they were under the recorded weights: a replay shows what would
// have been decided, not what would have come of it. `Config::dry_run` has no meaning here, every
// write is taken as carried out.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/decision.hpp"
#include "monitord/recording.hpp"

namespace lvs::monitord {

/// The weights that replay's kernel would have. Each starts as recorded, follows replay's own
/// writes, and takes the recorded value where that is 0 or changes without a recorded write.
class ShadowWeights {
 public:
  /// Replaces the weights of `table`, which is `cycle`'s.
  void put_into(std::vector<ipvs::ServiceEntry>& table, const WeightsById& written);
  void wrote(const DestinationId& id, std::uint32_t weight);
  /// What `state` does not know any more starts anew when it comes back.
  void forget_unknown(const State& state);

 private:
  struct Shadow {
    std::uint32_t weight{};
    std::uint32_t expected{};  ///< in the recording's next line, when nobody else writes
    bool drained{};            ///< the recording's weight is 0
  };
  std::map<DestinationId, Shadow> shadows_{};
};

struct ReplayedCycle {
  Moment recorded_at{};  ///< `t` of the line
  std::vector<Verdict> verdicts{};
};

class Replay {
 public:
  explicit Replay(Config config) : config_(std::move(config)) {}

  /// Cycles in the order of the recording.
  ReplayedCycle step(const RecordedCycle& cycle);

 private:
  void start_anew();
  void take_readings(const Readings& fresh);
  void restore_bases(const std::vector<ipvs::ServiceEntry>& table, const WeightsById& bases);
  void forget_readings(const std::vector<ipvs::ServiceEntry>& table);

  Config config_;
  State state_{};
  Remembered remembered_{};
  Readings readings_{};
  std::map<ipvs::IpAddress, unsigned> absences_{};  ///< tables in a row without it
  ShadowWeights shadows_{};
  bool started_{};
  Moment shift_{};  ///< from the recording's clock to the one that decide() sees
};

/// {"t":12.0,"verdicts":[{"service":…,"destination":…,"current":10,"target":14,"write":14,
/// "outcome":"change","reason":"…"}]}, one line with its end; the names are those of
/// `list -o json`, what is unknown is null.
std::string json_line_from_replayed(const ReplayedCycle& cycle);

}  // namespace lvs::monitord
