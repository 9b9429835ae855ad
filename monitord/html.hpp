#pragma once

// Text as it may stand in HTML, SVG, URLs and CSV.

#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitord {

/// For elements and quoted attributes; control characters become blanks, and what is no UTF-8 a
/// "?".
std::string html_from_text(std::string_view text);

/// A part of a path or a query: everything but letters, digits, and `-._~:[]` as %XX.
std::string url_part_from_text(std::string_view text);
/// Empty: not well encoded, or it holds a control character. `+` is a blank where `plus` says so.
std::optional<std::string> text_from_url_part(std::string_view part, bool plus = false);

/// RFC 4180; what a spreadsheet would take for a formula gets an apostrophe in front.
std::string csv_from_text(std::string_view text);

/// "0.43"; "-" is unknown.
std::string number_for_people(const std::optional<double>& value, int decimals);

/// "2026-11-30 12:00:07Z"
std::string utc_from_wall_time(double seconds);
/// "3 d 4 h", "4 h 5 min", "5 min", "12 s"
std::string span_for_people(double seconds);

}  // namespace lvs::monitord
