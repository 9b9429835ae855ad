#pragma once

// What stands above every page: who speaks, how it stands, and what needs a person.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/pool_summary.hpp"
#include "monitord/published.hpp"

namespace lvs::monitord {

/// Name and value of what the head tells of the daemon.
using FactLines = std::vector<std::pair<std::string_view, std::string>>;
FactLines facts_of(const Published& published);

/// A sentence each, the worst first; empty: all is well.
std::vector<std::string> banner_of(const Published& published,
                                   const std::vector<PoolSummary>& pools);

/// "active", "dry run: nothing is written", …
std::string mode_of(const Published& published);

std::string facts_html(const FactLines& facts);
std::string banner_html(const std::vector<std::string>& lines);

/// "Cycle 12 of 2026-11-30 12:00:07Z"
std::string updated_text(const Published& published);
/// The same as a line that the script renews every `data-interval` ms.
std::string updated_html(const Published& published);
/// A page's content with that line: the script renews it as a whole, until somebody pauses it.
std::string renewed_html(const Published& published, std::string_view content);

/// A whole document around `body`.
std::string document_html(std::string_view title, const Published& published,
                          std::string_view body);

}  // namespace lvs::monitord
