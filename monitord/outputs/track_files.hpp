#pragma once

// Output `keepalived`: a track file for each destination, in the folder of its service. keepalived
// watches the folder (inotify) and writes the kernel; monitord never does for such a service.
//
// Threading: the control thread. A write is an open, a write and a rename of a few bytes, without a
// flush: what a power loss leaves empty is made anew at the next start. Errors: one line each.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "monitord/outputs/output.hpp"

namespace lvs::monitord {

class TrackFiles : public Output {
 public:
  [[nodiscard]] OutputKind kind() const override { return OutputKind::keepalived; }
  /// Makes the files that are missing or empty, with the base weight. Those that say something stay
  /// as they are; none is ever removed, which would be a 0.
  void declare(const std::vector<OutputPool>& pools, bool acts, Moment now) override;
  /// A file that says so already is not written.
  std::vector<Result> apply(const ipvs::ServiceKey& service,
                            std::span<const OutputServer> weights) override;
  [[nodiscard]] std::vector<std::string> notes(Moment now) const override;

 private:
  std::map<ipvs::ServiceKey, std::string> folders_{};
  std::map<ipvs::ServiceKey, std::string> problems_{};  ///< of declare(); gone with a good write
};

}  // namespace lvs::monitord
