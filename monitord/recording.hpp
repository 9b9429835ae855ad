#pragma once

// What a cycle saw and wrote, as one line of JSON: what `monitord --record` keeps and `monitorctl
// replay` decides anew. The format is described in monitord(8). Pure: the file is in recorder.hpp.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/decision.hpp"
#include "monitord/remembered.hpp"

namespace lvs::monitord {

using WeightsById = std::map<DestinationId, std::uint32_t>;

struct RecordedCycle {
  bool start{};                       ///< the first cycle of a monitord: the clock may jump here
  std::optional<double> wall_time{};  ///< seconds since the epoch, for people only
  /// `readings` are the ones that came since the cycle before: who is silent is absent.
  Observations seen{};
  WeightsById written{};  ///< what monitord wrote in this cycle, after what was seen
  /// Observed base weights where they differ from the weight: a recording may begin long after
  /// monitord did, or after a restart.
  WeightsById bases{};

  friend bool operator==(const RecordedCycle&, const RecordedCycle&) = default;
};

/// What there is to record of a cycle. `state` is the one after it, `before` the readings that the
/// cycle before had.
RecordedCycle recorded_cycle(const Observations& seen, const State& state,
                             std::span<const Applied> applied, const Readings& before);

/// One line with its end. Numbers that are not finite are left out as unknown.
std::string line_from_cycle(const RecordedCycle& cycle);

/// "12.0", "1000.000000001": seconds, exact, without needless zeros.
std::string seconds_text(Moment moment);

/// What is wrong with a line.
struct RecordingProblem {
  std::size_t column{1};  ///< 1-based byte
  bool syntax{};          ///< no JSON; in the last line of a file: cut off while it was written
  std::string message{};  ///< "services[0].destinations[1].weight: -3 is not ..."
  std::string hint{};

  friend bool operator==(const RecordingProblem&, const RecordingProblem&) = default;
};

struct DecodedLine {
  RecordedCycle cycle{};
  /// Keys that this version does not know, each with its place; they are passed over.
  std::vector<std::string> unknown_keys{};
};

/// The other way; the line may lack its end. Times are exact to a nanosecond for clocks below 48
/// days, to a microsecond for all others (a JSON number is a double).
tl::expected<DecodedLine, RecordingProblem> cycle_from_line(std::string_view line);

}  // namespace lvs::monitord
