#pragma once

// What a track file of keepalived's is called and holds. Pure; files are in track_files.hpp.
//
// keepalived reads it with strtol(…, 0): a leading zero would be octal. It multiplies the number by
// the weight of FILE_CHECK and adds it to the weight of the real_server. A file that is missing or
// empty counts as 0 (track_file.c), so that with a real_server of weight 0 nobody would get
// anything.

#include <cstdint>
#include <string>
#include <string_view>

#include "ipvs/types.hpp"

namespace lvs::monitord {

/// "10.0.0.11:80", "[fd00::11]:80".
std::string track_file_name(const ipvs::DestinationKey& destination);
/// "37\n".
std::string track_file_text(std::uint32_t weight);
/// Keepalived would take it for 0 without anybody having said so.
bool is_unsaid(std::string_view text);

}  // namespace lvs::monitord
