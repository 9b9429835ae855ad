#include "load_client.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <random>
#include <string_view>

namespace lvs::lab {

namespace {

constexpr std::string_view kRequest = "GET / HTTP/1.0\r\nHost: lab\r\n\r\n";
constexpr double kLongestWait = 0.05;  // seconds; time-outs are looked at this often

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void watch(int epoll, int operation, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  epoll_ctl(epoll, operation, fd, &event);
}

}  // namespace

LoadClient::LoadClient(const sockaddr_in& target)
    : target_(target), epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

LoadClient::~LoadClient() {
  for (auto const& [fd, connection] : open_)
    close(fd);
  close(epoll_);
}

double LoadClient::now() const {
  return steady_seconds() - origin_;
}

void LoadClient::run(const Load& load) {
  std::mt19937_64 random(load.seed);
  std::exponential_distribution<double> gap(load.rate > 0 ? load.rate : 1);
  origin_ = steady_seconds();
  double next = load.rate > 0 ? gap(random) : load.seconds;
  for (;;) {
    double const time = now();
    for (; next <= time && next < load.seconds; next += gap(random))
      start(next);
    if (load.rate <= 0 && time < load.seconds) {
      for (auto missing = load.clients - std::min(load.clients, open_.size()); missing > 0;
           --missing) {
        start(time);
      }
    }
    drop_overdue();
    if (time >= load.seconds && open_.empty()) return;
    bool const planning = load.rate > 0 && next < load.seconds;
    wait_for_events(planning ? next - now() : kLongestWait);
  }
}

void LoadClient::start(double planned) {
  start_lag_ = std::max(start_lag_, now() - planned);
  int const fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    outcomes_.push_back({.planned = planned, .failure = "socket"});
    return;
  }
  open_[fd] = Connection{.id = ++next_id_, .planned = planned};
  peak_open_ = std::max(peak_open_, open_.size());
  auto const* address = reinterpret_cast<const sockaddr*>(&target_);
  if (connect(fd, address, sizeof target_) != 0 && errno != EINPROGRESS) {
    finish(fd, "connect");
    return;
  }
  started_.emplace_back(next_id_, fd);
  watch(epoll_, EPOLL_CTL_ADD, fd, EPOLLOUT);
}

void LoadClient::finish(int fd, const std::string& failure) {
  auto const found = open_.find(fd);
  auto const& connection = found->second;
  Outcome outcome{
      .planned = connection.planned, .latency = now() - connection.planned, .failure = failure};
  if (failure.empty()) outcome.server = server_from_response(connection.received);
  if (failure.empty() && outcome.server.empty()) outcome.failure = "short";
  outcomes_.push_back(std::move(outcome));
  close(fd);
  open_.erase(found);
}

void LoadClient::drop_overdue() {
  while (!started_.empty()) {
    auto const [id, fd] = started_.front();
    auto const found = open_.find(fd);
    bool const still_open = found != open_.end() && found->second.id == id;
    if (still_open && now() - found->second.planned <= kPatience) return;
    started_.pop_front();
    if (still_open) finish(fd, "timeout");
  }
}

void LoadClient::wait_for_events(double seconds) {
  timespec const wait{.tv_sec = 0,
                      .tv_nsec = static_cast<long>(1e9 * std::clamp(seconds, 0.0, kLongestWait))};
  std::array<epoll_event, 256> events;
  int const ready =
      epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &wait, nullptr);
  for (int i = 0; i < ready; ++i)
    on_event(events.at(static_cast<std::size_t>(i)).data.fd);
}

void LoadClient::on_event(int fd) {
  auto const found = open_.find(fd);
  if (found == open_.end()) return;
  if (found->second.sent) {
    receive(fd, found->second);
  } else {
    send_request(fd, found->second);
  }
}

void LoadClient::send_request(int fd, Connection& connection) {
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    finish(fd, error == ECONNREFUSED ? "refused" : "connect");
    return;
  }
  if (send(fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) < 0) {
    finish(fd, "connect");
    return;
  }
  connection.sent = true;
  watch(epoll_, EPOLL_CTL_MOD, fd, EPOLLIN);
}

void LoadClient::receive(int fd, Connection& connection) {
  std::array<char, 4096> buffer;
  ssize_t const got = recv(fd, buffer.data(), buffer.size(), 0);
  if (got > 0) connection.received.append(buffer.data(), static_cast<std::size_t>(got));
  if (got == 0) finish(fd, "");
  if (got < 0 && errno != EAGAIN) finish(fd, "reset");
}

}  // namespace lvs::lab
