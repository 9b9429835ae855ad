#include "realserver-agent/drain_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "plainfile/file_descriptor.hpp"

namespace lvs::agent {
namespace {

std::string_view hint_for(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "; run it as root";
    case ENOENT:
    case ENOTDIR:
      return "; make its folder first, or let drain_file: name another file";
    case EROFS:
      return "; let drain_file: name a file that can be written";
    default:
      return "";
  }
}

DrainAnswer failed(std::string_view what, const std::string& path, int error) {
  return {false, fmt::format("cannot {} {}: {}{}", what, path,
                             std::generic_category().message(error), hint_for(error))};
}

}  // namespace

DrainAnswer make_drain_file(const std::string& path) {
  // Exclusive: whatever is there already, a link among it, is neither followed nor touched.
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC, 0644));
  if (file.valid()) {
    return {true, fmt::format("made {}: the directors are asked to drain this server; "
                              "`realserver-agent ready` takes it back",
                              path)};
  }
  if (errno != EEXIST) return failed("make", path, errno);
  return {true, fmt::format("{} is there already: the directors are being asked", path)};
}

DrainAnswer remove_drain_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0) {
    return {true, fmt::format("removed {}: the directors are no longer asked to drain this server",
                              path)};
  }
  if (errno != ENOENT) return failed("remove", path, errno);
  return {true, fmt::format("there is no {}: the directors are not being asked", path)};
}

}  // namespace lvs::agent
