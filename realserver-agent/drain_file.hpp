#pragma once

// The file by which a real server asks its directors for drain, made and removed by
// `realserver-agent drain` and `realserver-agent ready`. The agent looks for it at every sample.

#include <string>

namespace lvs::agent {

struct DrainAnswer {
  bool done{};         ///< the file is there, or gone, as was asked for
  std::string text{};  ///< for people: what was done, or why not and what to do
};

/// Both are content where it is so already.
DrainAnswer make_drain_file(const std::string& path);
DrainAnswer remove_drain_file(const std::string& path);

}  // namespace lvs::agent
