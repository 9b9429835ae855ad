#pragma once

// Names of the DNS as text. Pure.

#include <string>
#include <string_view>

namespace lvs::monitord {

/// Labels of letters, digits, - and _, of at most 63 bytes each and 253 together, without a dot at
/// the end.
bool is_dns_name(std::string_view text);

/// In small letters and without the dot at the end: names that are the same are the same text.
std::string plain_dns_name(std::string_view name);

/// `name` is `zone`, or below it. Both plain.
bool is_within_zone(std::string_view name, std::string_view zone);

}  // namespace lvs::monitord
