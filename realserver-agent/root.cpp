#include "realserver-agent/root.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lvs::agent {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20U;

class File {
 public:
  explicit File(const std::string& path) : fd_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  /// As read(2), but goes on after a signal.
  template <std::size_t N>
  ssize_t read(std::array<char, N>& buffer) const {
    ssize_t count = 0;
    do {
      count = ::read(fd_, buffer.data(), buffer.size());
    } while (count < 0 && errno == EINTR);
    return count;
  }

 private:
  int fd_;
};

tl::expected<void, int> read_pieces_of(const std::string& path,
                                       const std::function<bool(std::string_view)>& piece) {
  const File in{path};
  if (!in.is_open()) return tl::unexpected(errno);
  std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t count = in.read(buffer);
    if (count < 0) return tl::unexpected(errno);
    if (count == 0) return {};
    if (!piece({buffer.data(), static_cast<std::size_t>(count)})) return {};
  }
}

}  // namespace

tl::expected<std::string, int> read_file(const std::string& path) {
  std::string text;
  const auto done = read_pieces_of(path, [&text](std::string_view piece) {
    text += piece;
    return text.size() <= most_bytes;
  });
  if (!done) return tl::unexpected(done.error());
  if (text.size() > most_bytes) return tl::unexpected(EFBIG);
  return text;
}

Root::Root(std::string path) : path_{std::move(path)} {
  while (path_.size() > 1 && path_.ends_with('/'))
    path_.pop_back();
}

std::string Root::path_of(std::string_view file) const {
  std::string path = is_running_system() ? "" : path_;
  return path.append("/").append(file);
}

bool Root::exists(std::string_view file) const {
  return ::access(path_of(file).c_str(), F_OK) == 0;
}

tl::expected<void, int> Root::read_pieces(
    std::string_view file, const std::function<bool(std::string_view)>& piece) const {
  return read_pieces_of(path_of(file), piece);
}

tl::expected<std::string, int> Root::read(std::string_view file) const {
  return read_file(path_of(file));
}

std::optional<std::string> Root::read_if_there(std::string_view file) const {
  auto text = read(file);
  if (!text) return std::nullopt;
  return std::move(*text);
}

}  // namespace lvs::agent
