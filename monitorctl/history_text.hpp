#pragma once

// What monitord answers to `history` and `events`, for people and for spreadsheets. Pure, and
// tolerant as status_document.hpp: what is missing is unknown.

#include <boost/json/value.hpp>
#include <string>

namespace lvs::monitorctl {

/// A line a minute, each with the last values of that minute and the connections of all of it.
std::string history_text(const boost::json::value& document);
/// All of it, with the document's own columns.
std::string history_csv(const boost::json::value& document);

/// A line an event, as in the log, oldest first.
std::string events_text(const boost::json::value& document);
/// wall_time,level,event,service,destination,details
std::string events_csv(const boost::json::value& document);

}  // namespace lvs::monitorctl
