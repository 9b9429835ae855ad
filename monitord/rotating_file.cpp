#include "monitord/rotating_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace lvs::monitord {
namespace {

constexpr mode_t file_mode = 0640;
constexpr int patience_ms = 100;  ///< between two looks at `stop`

tl::unexpected<std::string> failed(std::string_view what, int error) {
  return tl::make_unexpected(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

}  // namespace

void RotatingFile::reopen(RecordConfig config) {
  config_ = std::move(config);
  file_ = FileDescriptor();
}

tl::expected<void, std::string> RotatingFile::append(std::string_view line,
                                                     const std::stop_token& stop) {
  if (!file_.valid()) {
    if (auto opened = open(); !opened) return opened;
  }
  const bool full = regular_ && size_ > 0 && size_ + line.size() > config_.max_size;
  if (full) {
    if (auto rotated = rotate(); !rotated) return rotated;
    file_ = FileDescriptor();
    if (auto opened = open(); !opened) return opened;
  }
  return write(line, stop);
}

/// A pipe without a reader must not hold the thread: O_NONBLOCK, which files do not heed.
tl::expected<void, std::string> RotatingFile::open() {
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  for (bool again = true;; again = false) {
    FileDescriptor opened(::open(config_.file.c_str(), flags, file_mode));
    if (!opened.valid()) return failed("cannot open", errno);
    struct stat info {};
    if (::fstat(opened.get(), &info) != 0) return failed("cannot open", errno);
    regular_ = S_ISREG(info.st_mode);
    size_ = regular_ ? static_cast<std::uint64_t>(info.st_size) : 0;
    if (regular_ && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
      return tl::make_unexpected(std::string("is in use by another process"));
    }
    // What a crash left behind stays as it is: replay knows a last line that is cut off.
    if (!again || !ends_in_the_middle(size_)) {
      file_ = std::move(opened);
      return {};
    }
    if (auto rotated = rotate(); !rotated) return rotated;
  }
}

bool RotatingFile::ends_in_the_middle(std::uint64_t size) const {
  if (!regular_ || size == 0) return false;
  const FileDescriptor reading(::open(config_.file.c_str(), O_RDONLY | O_CLOEXEC));
  char last = '\n';
  return reading.valid() && ::pread(reading.get(), &last, 1, static_cast<off_t>(size - 1)) == 1 &&
         last != '\n';
}

tl::expected<void, std::string> RotatingFile::rotate() const {
  const auto name = [this](unsigned number) {
    return number == 0 ? config_.file : fmt::format("{}.{}", config_.file, number);
  };
  if (config_.files == 0) {
    if (::unlink(name(0).c_str()) != 0) return failed("cannot be removed when full", errno);
    return {};
  }
  for (unsigned number = config_.files; number > 0; --number) {
    const bool done = std::rename(name(number - 1).c_str(), name(number).c_str()) == 0;
    if (!done && errno != ENOENT) return failed("cannot be renamed when full", errno);
  }
  return {};
}

tl::expected<void, std::string> RotatingFile::write(std::string_view line,
                                                    const std::stop_token& stop) {
  auto rest = line;
  while (!rest.empty()) {
    const auto count = ::write(file_.get(), rest.data(), rest.size());
    if (count > 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    const int error = count == 0 ? ENOSPC : errno;
    if (error == EINTR) continue;
    if (error == EAGAIN && !stop.stop_requested()) {
      pollfd slow{file_.get(), POLLOUT, 0};
      ::poll(&slow, 1, patience_ms);
      continue;
    }
    if (rest.size() < line.size() || !regular_) take_back_part();
    return failed("cannot write", error);
  }
  size_ += line.size();
  return {};
}

/// A line that did not fit must not become the head of the next one.
void RotatingFile::take_back_part() {
  const bool cut = regular_ && ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0;
  if (!cut) file_ = FileDescriptor();
}

}  // namespace lvs::monitord
