#pragma once

// History and status as JSON and CSV: the same for page and control socket.

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "monitord/history.hpp"

namespace lvs::monitord {

/// {"service":…,"destination":…,"columns":["wall_time","weight","target","cpu_busy",
///  "mem_available","composite","active","new_connections"],"points":[[…],…]}, oldest first.
///  Unknown
/// numbers are null.
boost::json::object json_from_series(const History& history, const DestinationId& id);
/// The same with a heading; unknown numbers are empty.
std::string csv_from_series(const History& history, const DestinationId& id);

/// {"events":[{"wall_time":…,"level":"info","event":"weight","fields":{"service":…}}]}, oldest
/// first.
boost::json::object json_from_events(const History& history);
/// wall_time,level,event,service,destination,details
inline constexpr std::string_view events_heading =
    "wall_time,level,event,service,destination,details\n";
std::string csv_from_event(const HistoryEvent& event);
/// The heading and every event, oldest first.
std::string csv_from_events(const History& history);

/// Every destination with the keys of the status document, terms left out.
std::string csv_from_report(const CycleReport& report);

}  // namespace lvs::monitord
