#pragma once

// Writes a small secret file in one piece.

#include <sys/types.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lvs::monitorctl {

struct OutputFile {
  std::string path{};
  mode_t mode{0600};
  bool replace{};       ///< false: a file that is already there is left alone and an error
  std::string group{};  ///< given to this group where there is one and we may; empty: none
};

/// Readers see the old file or the whole new one, never a part, and never with a wider mode than
/// `mode`. The value is empty, or a line that says why the file is not the group's.
tl::expected<std::string, std::string> write_file(const OutputFile& file, std::string_view text);

}  // namespace lvs::monitorctl
