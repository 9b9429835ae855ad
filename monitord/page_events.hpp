#pragma once

// The last events, newest first.

#include <functional>
#include <string>
#include <string_view>

#include "monitord/published.hpp"

namespace lvs::monitord {

std::string events_page(const Published& published);

/// A table of those that `wanted` takes, under a name of its own on the page; a sentence where
/// there are none.
std::string events_table(const History& history, std::string_view name,
                         const std::function<bool(const HistoryEvent&)>& wanted);

}  // namespace lvs::monitord
