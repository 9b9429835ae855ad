#include "monitord/instance_lock.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <system_error>

namespace lvs::monitord {
namespace {

constexpr int queue_length = 16;

struct Name {
  sockaddr_un address{};
  socklen_t length{};

  [[nodiscard]] const sockaddr* get() const {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address));
  }
};

/// A leading zero byte makes it abstract; the length counts, not a terminator.
Name abstract_name(std::string_view text) {
  Name name;
  name.address.sun_family = AF_UNIX;
  const auto used = std::min(text.size(), sizeof(name.address.sun_path) - 1);
  std::memcpy(name.address.sun_path + 1, text.data(), used);
  name.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + used);
  return name;
}

FileDescriptor unix_socket() {
  return FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// unix(7), SO_PEERCRED: of whoever called listen().
std::optional<ucred> holder_of(const Name& name) {
  const auto socket = unix_socket();
  if (!socket.valid() || ::connect(socket.get(), name.get(), name.length) != 0) {
    return std::nullopt;
  }
  ucred holder{};
  socklen_t size = sizeof(holder);
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0) {
    return std::nullopt;
  }
  return holder;
}

std::string refusal(const std::optional<ucred>& holder) {
  const std::string_view head = "another monitord runs in this network namespace";
  if (!holder) return fmt::format("{} (its pid could not be learned)", head);
  if (holder->pid == 0) {
    return fmt::format("{} (uid {}, in another PID namespace)", head, holder->uid);
  }
  return fmt::format("{} (pid {}, uid {}): stop it first", head, holder->pid, holder->uid);
}

std::string failure(std::string_view call, int error) {
  return fmt::format("cannot take the instance lock: {}: {}", call,
                     std::generic_category().message(error));
}

}  // namespace

tl::expected<InstanceLock, std::string> InstanceLock::acquire(std::string_view name) {
  const auto address = abstract_name(name);
  auto socket = unix_socket();
  if (!socket.valid()) return tl::make_unexpected(failure("socket", errno));
  if (::bind(socket.get(), address.get(), address.length) != 0) {
    if (errno == EADDRINUSE) return tl::make_unexpected(refusal(holder_of(address)));
    return tl::make_unexpected(failure("bind", errno));
  }
  if (::listen(socket.get(), queue_length) != 0) {
    return tl::make_unexpected(failure("listen", errno));
  }
  return InstanceLock(std::move(socket));
}

void InstanceLock::drain() {
  // Not for ever: others may come as fast as these go.
  for (int visitors = 0; visitors <= queue_length; ++visitors) {
    const FileDescriptor visitor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!visitor.valid()) return;
  }
}

}  // namespace lvs::monitord
