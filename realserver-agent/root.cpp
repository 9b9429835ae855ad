#include "realserver-agent/root.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "plainfile/plain_file.hpp"

namespace lvs::agent {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20U;

}  // namespace

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
  const auto in = plainfile::open_to_read(path_of(file));
  if (!in) return tl::unexpected(in.error().error);
  std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t count = ::read(in->get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::unexpected(errno);
    if (count == 0) return {};
    if (!piece({buffer.data(), static_cast<std::size_t>(count)})) return {};
  }
}

tl::expected<std::string, int> Root::read(std::string_view file) const {
  return plainfile::text_from_file(path_of(file), most_bytes)
      .map_error([](const plainfile::Failure& why) { return why.error; });
}

std::optional<std::string> Root::read_if_there(std::string_view file) const {
  auto text = read(file);
  if (!text) return std::nullopt;
  return std::move(*text);
}

}  // namespace lvs::agent
