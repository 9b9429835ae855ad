#pragma once

// The sockets of a load run: one thread, epoll, one request per connection.

#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "load_result.hpp"

namespace lvs::lab {

/// A request that is under way counts as failed ("timeout") after this many seconds.
constexpr double kPatience = 10;

struct Load {
  double rate{};          ///< open loop: requests per second at Poisson instants
  std::size_t clients{};  ///< closed loop, when rate is 0: connections always open
  double seconds{};
  std::uint64_t seed{1};  ///< of the arrival times: equal seeds give equal arrivals
};

/// Threading: none. Errors: a request that cannot be sent or answered is an Outcome.
class LoadClient {
 public:
  explicit LoadClient(const sockaddr_in& target);
  LoadClient(const LoadClient&) = delete;
  LoadClient& operator=(const LoadClient&) = delete;
  ~LoadClient();

  /// Sends the load and waits for the last answer (kPatience at most).
  void run(const Load& load);

  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }
  [[nodiscard]] std::size_t peak_open() const { return peak_open_; }
  [[nodiscard]] double start_lag() const { return start_lag_; }  ///< seconds

 private:
  struct Connection {
    std::uint64_t id{};  ///< descriptors are reused, ids are not
    double planned{};
    bool sent{};
    std::string received{};
  };

  [[nodiscard]] double now() const;  ///< seconds since the start of the run
  void start(double planned);
  void finish(int fd, const std::string& failure);
  void drop_overdue();
  void wait_for_events(double seconds);
  void on_event(int fd);
  void send_request(int fd, Connection& connection);
  void receive(int fd, Connection& connection);

  sockaddr_in target_;
  int epoll_;
  double origin_{};
  std::uint64_t next_id_{};
  std::unordered_map<int, Connection> open_{};
  std::deque<std::pair<std::uint64_t, int>> started_{};  ///< id and descriptor, oldest first
  std::vector<Outcome> outcomes_{};
  std::size_t peak_open_{};
  double start_lag_{};
};

}  // namespace lvs::lab
