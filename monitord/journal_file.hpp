#pragma once

// System calls on the journal's files. Errors: false, and errno says why.

#include <cstddef>
#include <string>
#include <string_view>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

/// The system's words for an errno.
std::string reason(int error);

bool write_all(int file, std::string_view text);

/// The lock goes with the open file: it ends with the process, however that ends.
bool lock(const FileDescriptor& file);

/// Whatever kind of file it is.
bool exists(const std::string& path);

/// A rename is on the disk only when the folder is.
void flush_folder_of(const std::string& path);

/// An empty one with the journal's mode, in the place of whatever was there but a link.
FileDescriptor fresh_file(const std::string& path);

/// Blocks behind the end, so that a disk which fills up later does not keep bases from being
/// written down. Not every file system has that; then it is as it was.
void reserve_behind(const FileDescriptor& file, std::size_t size);

}  // namespace lvs::monitord
