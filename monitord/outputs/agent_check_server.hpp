#pragma once

// Listens for HAProxy's agent-check over TCP: moves lines, decides nothing.
//
// Threading: the io_context's one thread. Errors: of a client, end that client's connection. A
// connection costs at most 255 bytes of question and a second; there are at most 256, and whoever
// comes then waits in the kernel's queue.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lvs::monitord {

class AgentCheckServer {
 public:
  struct Handlers {
    /// A line, which may lack its end where the client said no more: what is answered.
    std::function<std::string(std::string_view)> answer{};
    /// A line that did not end in time.
    std::function<std::string()> slow{};
  };

  AgentCheckServer(boost::asio::io_context& io, Handlers handlers);
  ~AgentCheckServer();
  AgentCheckServer(const AgentCheckServer&) = delete;
  AgentCheckServer& operator=(const AgentCheckServer&) = delete;

  /// `listen`: ADDRESS:PORT. The error is one line.
  tl::expected<void, std::string> open(const std::string& listen);

  /// Of the open server; that of port 0 is only known then.
  [[nodiscard]] unsigned port() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace lvs::monitord
