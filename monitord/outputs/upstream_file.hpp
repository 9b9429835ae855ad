#pragma once

// What the file says that nginx includes in an upstream. Pure; files are in nginx_files.hpp.
//
// nginx refuses weight=0: a server that is to get nothing is `down`. What else a server line may
// have (max_fails, …) is left at nginx's defaults.

#include <span>
#include <string>
#include <string_view>

#include "monitord/outputs/output.hpp"

namespace lvs::monitord {

/// "server 10.0.0.11:80 weight=100;", "server [fd00::11]:80 down;", one a line, in their order.
std::string upstream_text(std::span<const OutputServer> servers);

/// The line of nginx's output that says what is wrong, without its time and process numbers; at
/// most 300 characters, all printable. Something for a person in any case.
std::string reason_of_nginx(std::string_view output);

}  // namespace lvs::monitord
