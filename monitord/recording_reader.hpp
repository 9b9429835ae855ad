#pragma once

// The lines of one recording, or of several that follow each other, as cycles in order. Pure:
// whoever has the files hands in their lines.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "monitord/recording.hpp"

namespace lvs::monitord {

class RecordingReader {
 public:
  /// The lines that follow are of this file; the clock goes on.
  void begin_file(std::string name);

  /// A cycle, or nothing for an empty line. `ended` is false for a last line without its end: such
  /// a line was cut off when its writer was killed, and unreadable it is a warning. The error is
  /// the text for people.
  tl::expected<std::optional<RecordedCycle>, std::string> cycle(std::string_view line,
                                                                bool ended = true);

  /// Warnings since the last call, one a line; empty when there are none.
  std::string take_warnings();

 private:
  [[nodiscard]] std::string message(std::size_t column, std::string_view severity,
                                    std::string_view text, std::string_view hint) const;

  std::string file_{};
  std::size_t line_{};
  std::optional<Moment> last_{};
  std::set<std::string> unknown_keys_{};  ///< without indices: each is told once
  std::string warnings_{};
};

}  // namespace lvs::monitord
