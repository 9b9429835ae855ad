#include "monitord/cycle_recorder.hpp"

#include <fmt/format.h>

#include <utility>

namespace lvs::monitord {

void CycleRecorder::configure(const RecordConfig& config) {
  file_ = config.file;
  if (config.file.empty()) {
    if (recorder_) recorder_->finish_in_background();
    recorder_.reset();
  } else if (recorder_) {
    recorder_->reopen(config);
  } else {
    recorder_ = std::make_unique<Recorder>(config);
    before_.clear();
    start_ = true;
  }
}

void CycleRecorder::record(const Observations& seen, const State& state,
                           std::span<const Applied> applied, double wall_time) {
  if (!recorder_) return;
  auto cycle = recorded_cycle(seen, state, applied, before_);
  cycle.wall_time = wall_time;
  cycle.start = std::exchange(start_, false);
  recorder_->take(line_from_cycle(cycle));
  before_ = seen.readings;
}

std::vector<std::string> CycleRecorder::notes() const {
  if (!recorder_) return {};
  const auto status = recorder_->status();
  if (!status.problem.empty()) {
    return {fmt::format("recording to {} fails ({}): {} {} lost so far", file_, status.problem,
                        status.dropped, status.dropped == 1 ? "cycle" : "cycles")};
  }
  if (status.dropped == 0) return {};
  return {fmt::format(
      "recording to {} works, but {} lost since the start", file_,
      status.dropped == 1 ? "1 cycle was" : fmt::format("{} cycles were", status.dropped))};
}

}  // namespace lvs::monitord
