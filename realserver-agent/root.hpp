#pragma once

// Files below a root directory: "/" on a real server, a fixture in a test.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace lvs::agent {

class Root {
 public:
  explicit Root(std::string path);

  /// The running system, whose clock may be asked.
  [[nodiscard]] bool is_running_system() const { return path_ == "/"; }

  /// The whole file, at most 4 MiB (sizes in /proc cannot be asked for beforehand). Fails with
  /// errno; EFBIG when it is longer, ENOTSUP when it is a pipe or a device.
  [[nodiscard]] tl::expected<std::string, int> read(std::string_view file) const;
  /// As read(), for a file that may be missing.
  [[nodiscard]] std::optional<std::string> read_if_there(std::string_view file) const;
  /// Hands the file over in pieces until `piece` returns false. Fails with errno.
  [[nodiscard]] tl::expected<void, int> read_pieces(
      std::string_view file, const std::function<bool(std::string_view)>& piece) const;
  [[nodiscard]] bool exists(std::string_view file) const;

 private:
  [[nodiscard]] std::string path_of(std::string_view file) const;

  std::string path_;
};

}  // namespace lvs::agent
