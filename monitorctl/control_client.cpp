#include "monitorctl/control_client.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl {
namespace {

using Clock = std::chrono::steady_clock;

/// 10,000 destinations take some 5 MB; this is no daemon of ours.
constexpr std::size_t longest_answer = 256U << 20U;

tl::unexpected<ControlFailure> unreachable(std::string message) {
  return tl::make_unexpected(ControlFailure{true, std::move(message)});
}

bool is_socket(const std::string& path) {
  struct stat info {};
  // What cannot be looked at was at least found by connect().
  return ::stat(path.c_str(), &info) != 0 || S_ISSOCK(info.st_mode);
}

tl::expected<FileDescriptor, ControlFailure> connected(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    return unreachable(fmt::format("the socket's path is longer than {} bytes: {}",
                                   sizeof(address.sun_path) - 1, path));
  }
  path.copy(address.sun_path, path.size());
  FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  if (socket.get() < 0 || ::connect(socket.get(), generic, sizeof(address)) != 0) {
    const int error = errno;
    return tl::make_unexpected(ControlFailure{
        true,
        fmt::format("monitord is not reachable at {}: {}", path, why_not_connected(path, error)),
        error == EACCES});
  }
  return socket;
}

/// False when the deadline has passed.
bool ready(const FileDescriptor& socket, short events, Clock::time_point until) {
  pollfd waiting{socket.get(), events, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    const int found = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (found >= 0) return found > 0;
    if (errno != EINTR) return false;
  }
}

bool sent(const FileDescriptor& socket, std::string_view line, Clock::time_point until) {
  while (!line.empty()) {
    const auto done = ::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL);
    if (done >= 0) {
      line.remove_prefix(static_cast<std::size_t>(done));
    } else if ((errno != EAGAIN && errno != EINTR) || !ready(socket, POLLOUT, until)) {
      return false;
    }
  }
  return true;
}

/// Everything up to the newline or the end of the stream.
tl::expected<std::string, ControlFailure> received(const FileDescriptor& socket,
                                                   Clock::time_point until) {
  std::string answer;
  std::array<char, 65536> part{};
  while (answer.empty() || answer.back() != '\n') {
    const auto count = ::recv(socket.get(), part.data(), part.size(), 0);
    if (count > 0) {
      answer.append(part.data(), static_cast<std::size_t>(count));
      if (answer.size() > longest_answer) return unreachable("monitord's answer has no end");
    } else if (count == 0) {
      break;
    } else if (errno != EAGAIN && errno != EINTR) {
      return unreachable(fmt::format("monitord's answer broke off: {}", std::strerror(errno)));
    } else if (!ready(socket, POLLIN, until)) {
      return unreachable("monitord did not answer in time");
    }
  }
  return answer;
}

}  // namespace

std::string why_not_connected(const std::string& path, int error_number) {
  switch (error_number) {
    case ENOENT:
      return "there is no such file: is it running? systemctl status monitord";
    case ECONNREFUSED:
      return is_socket(path) ? "nobody listens on this socket, which is left of a monitord that "
                               "ended: systemctl status monitord"
                             : "this is no socket: does --socket or MONITORCTL_SOCKET name another "
                               "file? Where monitord should have its own, remove this one and "
                               "restart it";
    case EACCES:
      return "no permission: be root or a member of the group monitord (usermod -aG monitord "
             "USER, from the next login on)";
    default:
      return std::strerror(error_number);
  }
}

tl::expected<boost::json::value, ControlFailure> ask_daemon(const std::string& socket_path,
                                                            const std::string& command,
                                                            std::chrono::milliseconds deadline) {
  return ask_daemon(socket_path, boost::json::object{{"command", command}}, deadline);
}

tl::expected<boost::json::value, ControlFailure> ask_daemon(const std::string& socket_path,
                                                            const boost::json::object& request,
                                                            std::chrono::milliseconds deadline) {
  const auto until = Clock::now() + deadline;
  const auto socket = connected(socket_path);
  if (!socket) return tl::make_unexpected(socket.error());
  const bool asked = sent(*socket, boost::json::serialize(request) + "\n", until);
  // Whom monitord turns away it tells why without taking the question.
  const auto answer = received(*socket, until);
  if (!asked && (!answer || answer->empty())) {
    return unreachable("monitord does not take the question");
  }
  if (!answer) return tl::make_unexpected(answer.error());
  auto result = result_from_answer(*answer);
  if (!result) return tl::make_unexpected(ControlFailure{false, std::move(result.error())});
  return std::move(*result);
}

tl::expected<Status, ControlFailure> daemon_status(const std::string& socket_path,
                                                   std::chrono::milliseconds deadline) {
  const auto document = ask_daemon(socket_path, "status", deadline);
  if (!document) return tl::make_unexpected(document.error());
  auto status = status_from_json(*document);
  if (!status) return tl::make_unexpected(ControlFailure{false, std::move(status.error())});
  return std::move(*status);
}

}  // namespace lvs::monitorctl
