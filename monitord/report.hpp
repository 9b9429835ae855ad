#pragma once

// A finished cycle, and its rendering as JSON. Log, CLI and page only render this.

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "monitord/decision.hpp"

namespace lvs::monitord {

struct PollCounters {
  std::uint64_t sent{}, answered{}, late{}, timeouts{};
  std::uint64_t bad_mac{}, bad_nonce{}, bad_length{}, bad_name{}, bad_source{}, malformed{};
};

struct CycleReport {
  std::uint64_t cycle{};
  Moment now{};
  double wall_time{};  ///< seconds since the epoch, for people only
  bool dry_run{};
  std::string version{};
  std::string degraded{};  ///< why the table could not be read; empty: it could
  std::vector<Verdict> verdicts{};
  std::vector<Applied> applied{};
  PollCounters polls{};
  std::uint64_t writes{}, suppressed{}, foreign_edits{};  ///< totals since start
};

/// {"monitord":{...},"services":[{"service":"tcp 10.9.9.9:80","scheduler":"wrr","destinations":[
/// {"destination":"10.0.0.11:80","server":…,"forwarding":"Masq","base":…,"current":…,"target":…,
///  "write":…,"boundary":…,"reading":"fresh","age_s":…,"cpu_busy":…,"mem_available":…,
///  "composite":…,"input":…,"new_connections":…,"completed":…,"active":…,"inactive":…,
///  "capacity":…,"correction":…,"outcome":"change","reason":"…"}]}]}; unknown numbers are null.
boost::json::object json_from_report(const CycleReport& report);

}  // namespace lvs::monitord
