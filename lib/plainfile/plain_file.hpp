#pragma once

// Files that programs read on their own, without anybody who could press Ctrl-C: only what ends by
// itself is read. A pipe waits for a writer, a terminal for a person, /dev/zero never ends.

#include <cstddef>
#include <string>

#include <tl/expected.hpp>

#include "plainfile/file_descriptor.hpp"

namespace lvs::plainfile {

struct Failure {
  int error{};           ///< errno; EISDIR or ENOTSUP for what is no file, EFBIG when too long
  std::string reason{};  ///< for a person, after "PATH: ": "is a pipe, not a file"
};

/// Opens a regular file (those of /proc are) to read. Never waits, and never makes a terminal the
/// controlling one.
tl::expected<FileDescriptor, Failure> open_to_read(const std::string& path);

/// From where `file` stands to its end.
tl::expected<std::string, Failure> rest_of(const FileDescriptor& file, std::size_t most_bytes);

/// The whole file.
tl::expected<std::string, Failure> text_from_file(const std::string& path, std::size_t most_bytes);

}  // namespace lvs::plainfile
