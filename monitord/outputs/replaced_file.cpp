#include "monitord/outputs/replaced_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {
namespace {

constexpr mode_t file_mode = 0644;

/// All of it, or errno.
int written(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    auto const count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? ENOSPC : errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

int replace_file(const std::string& folder, const std::string& name, const std::string& text) {
  auto const target = folder + "/" + name;
  // Whoever watches the folder, or includes *.conf of it, does not know this name.
  auto const fresh = folder + "/." + name + ".new";
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileDescriptor const file(::open(fresh.c_str(), flags, file_mode));
  if (!file.valid()) return errno;
  int error = written(file.get(), text);
  // Whatever the umask was: other programs, their scripts and people may read it.
  if (error == 0 && ::fchmod(file.get(), file_mode) != 0) error = errno;
  if (error == 0 && std::rename(fresh.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(fresh.c_str());
  return error;
}

std::string reason_of_file_error(const std::string& folder, const std::string& name, int error) {
  if (error == EACCES || error == EPERM || error == EROFS) {
    return fmt::format(
        "{}/{}: {}: the user of monitord has to be able to write to the folder, "
        "and its unit to let it (ReadWritePaths=)",
        folder, name, std::generic_category().message(error));
  }
  return fmt::format("{}/{}: {}", folder, name, std::generic_category().message(error));
}

}  // namespace lvs::monitord
