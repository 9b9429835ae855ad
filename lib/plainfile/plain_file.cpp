#include "plainfile/plain_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace lvs::plainfile {
namespace {

tl::unexpected<Failure> failed(int error) {
  return tl::unexpected<Failure>{{error, std::generic_category().message(error)}};
}

const char* name_of_kind(mode_t mode) {
  if (S_ISDIR(mode)) return "directory";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  return "device";
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte)
                               : fmt::format("{} bytes", bytes);
}

}  // namespace

tl::expected<FileDescriptor, Failure> open_to_read(const std::string& path) {
  // O_NONBLOCK: the open of a pipe would wait for its writer. It means nothing to a regular file.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid() && errno == ENXIO) {
    return tl::unexpected<Failure>{{ENOTSUP, "is a socket, not a file"}};
  }
  if (!file.valid()) return failed(errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(errno);
  if (S_ISREG(info.st_mode)) return file;
  return tl::unexpected<Failure>{{S_ISDIR(info.st_mode) ? EISDIR : ENOTSUP,
                                  fmt::format("is a {}, not a file", name_of_kind(info.st_mode))}};
}

tl::expected<std::string, Failure> rest_of(const FileDescriptor& file, std::size_t most_bytes) {
  std::string text;
  std::array<char, 65536> block{};
  while (text.size() <= most_bytes) {
    const auto got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(errno);
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return tl::unexpected<Failure>{{EFBIG, "is larger than " + size_text(most_bytes)}};
}

tl::expected<std::string, Failure> text_from_file(const std::string& path, std::size_t most_bytes) {
  const auto file = open_to_read(path);
  if (!file) return tl::make_unexpected(file.error());
  return rest_of(*file, most_bytes);
}

}  // namespace lvs::plainfile
