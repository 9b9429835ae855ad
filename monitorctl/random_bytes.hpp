#pragma once

// Random bytes of the kernel, for keys and nonces.

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <system_error>

namespace lvs::monitorctl {

/// Throws std::system_error when the kernel has none (getrandom(2): only before 3.17, or a seccomp
/// filter). Requests up to 256 bytes are never cut short once the pool is ready.
inline void fill_random(std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (count < 0 && errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

}  // namespace lvs::monitorctl
