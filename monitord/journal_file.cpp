#include "monitord/journal_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace lvs::monitord {

namespace {

constexpr mode_t journal_mode = 0640;

}  // namespace

std::string reason(int error) {
  return std::generic_category().message(error);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      if (written == 0) errno = ENOSPC;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool lock(const FileDescriptor& file) {
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

void flush_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto folder = slash == std::string::npos ? std::string(".") : path.substr(0, slash + 1);
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.valid()) ::fsync(opened.get());
}

FileDescriptor fresh_file(const std::string& path) {
  return FileDescriptor(::open(
      path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, journal_mode));
}

void reserve_behind(const FileDescriptor& file, std::size_t size) {
  constexpr off_t reserved_bytes = 1 << 18;
  static_cast<void>(
      ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size), reserved_bytes));
}

}  // namespace lvs::monitord
