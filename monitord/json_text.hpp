#pragma once

// JSON for others to read. Pure.

#include <boost/json/value.hpp>
#include <string>

namespace lvs::monitord {

/// One line without its end. File names and what other programs said may hold any bytes: those that
/// are no UTF-8 become "?", since one of them makes a whole document unreadable.
std::string json_text(const boost::json::value& value);

}  // namespace lvs::monitord
