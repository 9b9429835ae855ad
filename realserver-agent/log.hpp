#pragma once

// Where the daemon's lines go: to the journal with their priority under systemd, else to stderr
// with time and level, or as a JSON object each.

#include <memory>
#include <string>

#include <spdlog/fwd.h>

namespace lvs::agent {

std::shared_ptr<spdlog::logger> make_logger();

/// `level`: debug, info, warning or error; `format`: text or json. May be called again.
void set_up_log(spdlog::logger& log, const std::string& level, const std::string& format);

}  // namespace lvs::agent
