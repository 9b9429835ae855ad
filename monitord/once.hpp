#pragma once

// `monitord --once`: one decision with fresh readings, shown as a table.

#include <string>

#include "ipvs/table.hpp"
#include "monitord/configuration.hpp"
#include "monitord/poll_engine.hpp"
#include "monitord/report.hpp"
#include "monitord/state_journal.hpp"

namespace lvs::monitord {

struct OnceParts {
  ipvs::Table& table;
  StateJournal* journal{};  ///< null: nothing is kept
  PollEngine::NonceSource nonces;
};

/// Asks every agent twice, which takes two intervals where there is anybody to ask, then decides
/// and, unless it is a dry run, writes.
CycleReport report_once(const Configuration& configuration, const std::string& version,
                        OnceParts parts, Memory memory);

}  // namespace lvs::monitord
