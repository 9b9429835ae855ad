#include "top_world.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/json/value.hpp>
#include <stdexcept>
#include <utility>

#include "../page/support.hpp"
#include "monitord/control_protocol.hpp"
#include "monitord/history_text.hpp"
#include "monitord/report.hpp"

namespace lvs::monitorctl::testing {

Status top_status(std::uint64_t cycle) {
  const auto document = monitord::json_from_report(monitord::testing::report(cycle));
  return status_from_json(boost::json::value(document)).value();
}

TopMemory top_memory(std::uint64_t cycles) {
  TopMemory memory;
  for (std::uint64_t cycle = 1; cycle <= cycles; ++cycle)
    memory.take(top_status(cycle), 0);
  return memory;
}

FakeDaemon::FakeDaemon(std::string path, std::uint64_t first_cycle)
    : path_(std::move(path)),
      cycle_(first_cycle),
      listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_.copy(address.sun_path, path_.size());
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  if (::bind(listener_.get(), generic, sizeof(address)) != 0 || ::listen(listener_.get(), 8) != 0) {
    throw std::runtime_error("cannot listen at " + path_);
  }
  thread_ = std::thread([this] { serve(); });
}

FakeDaemon::~FakeDaemon() {
  ::shutdown(listener_.get(), SHUT_RDWR);  // accept() ends
  thread_.join();
  ::unlink(path_.c_str());
}

void FakeDaemon::serve() {
  while (true) {
    const FileDescriptor client{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
    if (!client.valid()) return;
    std::string line;
    std::array<char, 4096> part{};
    while (line.empty() || line.back() != '\n') {
      const auto count = ::recv(client.get(), part.data(), part.size(), 0);
      if (count <= 0) break;
      line.append(part.data(), static_cast<std::size_t>(count));
    }
    const auto text = answer(line);
    for (std::size_t sent = 0; sent < text.size();) {
      const auto count = ::send(client.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
  }
}

std::string FakeDaemon::answer(const std::string& line) {
  const auto request = monitord::control_request_from_line(line);
  if (!request) return monitord::control_answer(request.error());
  if (request->command == monitord::ControlCommand::history) {
    const auto& order = request->order;
    const auto past = monitord::testing::published(cycle_);
    return monitord::control_answer(boost::json::value(
        monitord::json_from_series(past.history, {*order.service, *order.destination})));
  }
  const auto report = monitord::testing::report(++cycle_);
  return monitord::control_answer(boost::json::value(monitord::json_from_report(report)));
}

}  // namespace lvs::monitorctl::testing
