#pragma once

// Everything that page and metrics show: finished, immutable, and handed to the thread that serves
// them. What is slow there is never slow here.

#include <chrono>
#include <memory>
#include <string>

#include "monitord/duration_histogram.hpp"
#include "monitord/history.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// What the daemon knows of itself. Times are seconds since the epoch, for people only.
struct Facts {
  std::string host{};
  std::string config_file{};
  std::string kernel{};  ///< version of ip_vs; empty: not known
  double started{};
  double loaded{};               ///< when the configuration in force was read
  std::string reload_problem{};  ///< of the last reload; empty: it was taken
  std::chrono::nanoseconds interval{std::chrono::seconds{2}};
  DurationHistogram cycle_times{};  ///< from the reading of the table to the last write
  DurationHistogram poll_times{};   ///< from a question to its reply
};

struct Published {
  std::shared_ptr<const CycleReport> report{std::make_shared<const CycleReport>()};
  History history{};
  Facts facts{};
};

}  // namespace lvs::monitord
