#pragma once

// Where the daemon's lines go: to the journal with their priority under systemd, else to stderr
// with time and level.

#include <memory>

#include <spdlog/fwd.h>

namespace lvs::agent {

std::shared_ptr<spdlog::logger> make_logger();

}  // namespace lvs::agent
