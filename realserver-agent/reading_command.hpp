#pragma once

// `realserver-agent reading`: one reading on stdout, without a network.

#include <chrono>
#include <string>

namespace lvs::agent {

/// Of two root directories, each as it was at one moment. Returns the exit code.
int print_reading_of(const std::string& before, const std::string& after);

/// Of one root directory, now and `interval` later. Returns the exit code.
int print_reading_over(const std::string& root, const std::string& drain_file,
                       std::chrono::nanoseconds interval);

}  // namespace lvs::agent
