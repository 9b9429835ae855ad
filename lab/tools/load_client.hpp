#pragma once

// The sockets of a load run: one thread, epoll.

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "load_result.hpp"

namespace lvs::lab {

/// A request that is under way counts as failed ("timeout") after this many seconds.
constexpr double patience = 10;

struct Load {
  double rate{};          ///< open loop: connections per second at Poisson instants
  std::size_t clients{};  ///< closed loop, when rate is 0: connections always open
  double seconds{};
  std::uint64_t seed{1};    ///< of the arrival times: equal seeds give equal arrivals
  std::size_t requests{1};  ///< per connection; more than 1: HTTP/1.1 keep-alive
  double think{};           ///< mean pause between them in seconds, exponential
};

/// Threading: none. Errors: a request that cannot be sent or answered is an Outcome, and ends its
/// connection.
class LoadClient {
 public:
  LoadClient(const sockaddr_in& target, const Load& load);
  LoadClient(const LoadClient&) = delete;
  LoadClient& operator=(const LoadClient&) = delete;
  ~LoadClient();

  /// Sends the load and waits for the last answer (`patience` at most).
  void run();

  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }
  [[nodiscard]] std::size_t peak_open() const { return peak_open_; }
  [[nodiscard]] double start_lag() const { return start_lag_; }  ///< seconds

 private:
  enum class State { connecting, waiting, thinking };
  struct Connection {
    std::uint64_t id{};  ///< of the request: descriptors are reused, ids are not
    double planned{};
    State state{};
    std::size_t left{};  ///< requests that have not been answered
    std::string received{};
  };
  using Connections = std::unordered_map<int, Connection>;
  /// When, of which request's connection.
  using Pause = std::pair<double, std::pair<std::uint64_t, int>>;

  [[nodiscard]] double now() const;  ///< seconds since the start of the run
  void start(double planned);
  void start_missing_clients(double time);
  void note(const Connection& connection, const std::string& failure);
  void finish(int fd, const std::string& failure);
  void drop_overdue();
  void resume_thinking(double time);
  void wait_for_events(double until);
  void on_event(int fd);
  void send_request(int fd, Connection& connection);
  void receive(int fd, Connection& connection);
  void answered(int fd, Connection& connection);

  sockaddr_in target_;
  Load load_;
  std::string request_;
  int epoll_;
  double origin_{};
  std::mt19937_64 pauses_random_;
  std::uint64_t next_id_{};
  Connections open_{};
  std::deque<std::pair<std::uint64_t, int>> started_{};  ///< id and descriptor, oldest first
  std::priority_queue<Pause, std::vector<Pause>, std::greater<>> pauses_{};
  std::vector<Outcome> outcomes_{};
  std::size_t peak_open_{};
  double start_lag_{};
};

}  // namespace lvs::lab
