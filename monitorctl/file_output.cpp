#include "monitorctl/file_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl {
namespace {

tl::unexpected<std::string> failed(const std::string& path, int error) {
  auto text = fmt::format("{}: {}", path, std::strerror(error));
  const auto directory = std::filesystem::path(path).parent_path().string();
  if (error == ENOENT && !directory.empty()) text += "\nhint: mkdir -p " + directory;
  if (error == EACCES) text += "\nhint: sudo, or another place";
  return tl::make_unexpected(std::move(text));
}

/// Empty, or why the file is not the group's.
std::string given_to_group(const FileDescriptor& file, const OutputFile& wanted) {
  if (wanted.group.empty()) return {};
  const auto then = fmt::format("then: chown root:{} {}", wanted.group, wanted.path);
  const auto* const group = ::getgrnam(wanted.group.c_str());
  if (group == nullptr) {
    return fmt::format("there is no group {}, which has to read the file: systemd-sysusers; {}",
                       wanted.group, then);
  }
  if (::fchown(file.get(), static_cast<uid_t>(-1), group->gr_gid) == 0) return {};
  return fmt::format("the group {} cannot read the file ({}): as root {}", wanted.group,
                     std::strerror(errno), then);
}

/// 0, or the errno of what failed.
int filled(const FileDescriptor& file, const OutputFile& wanted, std::string_view text) {
  if (::fchmod(file.get(), wanted.mode) != 0) return errno;
  while (!text.empty()) {
    const auto count = ::write(file.get(), text.data(), text.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(file.get()) == 0 ? 0 : errno;
}

/// link() refuses where the name is taken, rename() replaces: both in one step.
int put_in_place(const std::string& from, const OutputFile& wanted) {
  const int result = wanted.replace ? std::rename(from.c_str(), wanted.path.c_str())
                                    : ::link(from.c_str(), wanted.path.c_str());
  return result == 0 ? 0 : errno;
}

}  // namespace

tl::expected<std::string, std::string> write_file(const OutputFile& file, std::string_view text) {
  auto temporary = file.path + ".XXXXXX";
  const FileDescriptor handle{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (handle.get() < 0) return failed(file.path, errno);
  auto warning = given_to_group(handle, file);
  int error = filled(handle, file, text);
  if (error == 0) error = put_in_place(temporary, file);
  if (error != 0 || !file.replace) std::remove(temporary.c_str());
  if (error == EEXIST) {
    return tl::make_unexpected(fmt::format(
        "{} exists; --force replaces it (and locks out whoever has the old key)", file.path));
  }
  if (error != 0) return failed(file.path, error);
  return warning;
}

}  // namespace lvs::monitorctl
