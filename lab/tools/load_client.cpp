#include "load_client.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>

namespace lvs::lab {

namespace {

constexpr double longest_wait = 0.05;  // seconds; time-outs are looked at this often

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

LoadClient::LoadClient(const sockaddr_in& target, const Load& load)
    : target_(target),
      load_(load),
      request_(load.requests > 1 ? "GET / HTTP/1.1\r\nHost: lab\r\n\r\n"
                                 : "GET / HTTP/1.0\r\nHost: lab\r\n\r\n"),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      pauses_random_(load.seed + 1) {}

LoadClient::~LoadClient() {
  for (auto const& [fd, connection] : open_)
    close(fd);
  close(epoll_);
}

double LoadClient::now() const {
  return steady_seconds() - origin_;
}

void LoadClient::run() {
  std::mt19937_64 random(load_.seed);
  std::exponential_distribution<double> gap(load_.rate > 0 ? load_.rate : 1);
  origin_ = steady_seconds();
  double next = load_.rate > 0 ? gap(random) : load_.seconds;
  for (;;) {
    double const time = now();
    for (; next <= time && next < load_.seconds; next += gap(random))
      start(next);
    if (load_.rate <= 0 && time < load_.seconds) start_missing_clients(time);
    resume_thinking(time);
    drop_overdue();
    if (time >= load_.seconds && open_.empty()) return;
    bool const planning = load_.rate > 0 && next < load_.seconds;
    wait_for_events(planning ? next : time + longest_wait);
  }
}

void LoadClient::start_missing_clients(double time) {
  auto missing = load_.clients - std::min(load_.clients, open_.size());
  for (; missing > 0; --missing)
    start(time);
}

void LoadClient::start(double planned) {
  start_lag_ = std::max(start_lag_, now() - planned);
  int const fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    outcomes_.push_back({.planned = planned, .failure = "socket"});
    return;
  }
  open_[fd] = Connection{.id = ++next_id_, .planned = planned, .left = load_.requests};
  peak_open_ = std::max(peak_open_, open_.size());
  auto const* address = reinterpret_cast<const sockaddr*>(&target_);
  if (connect(fd, address, sizeof target_) != 0 && errno != EINPROGRESS) {
    finish(fd, "connect");
    return;
  }
  started_.emplace_back(next_id_, fd);
  watch(epoll_, EPOLL_CTL_ADD, fd, EPOLLOUT);
}

void LoadClient::note(const Connection& connection, const std::string& failure) {
  Outcome outcome{
      .planned = connection.planned, .latency = now() - connection.planned, .failure = failure};
  if (failure.empty()) outcome.server = server_from_response(connection.received);
  if (failure.empty() && outcome.server.empty()) outcome.failure = "short";
  outcomes_.push_back(std::move(outcome));
}

/// Ends the connection. One that is thinking has no request that could have failed.
void LoadClient::finish(int fd, const std::string& failure) {
  auto const found = open_.find(fd);
  if (found->second.state != State::thinking) note(found->second, failure);
  close(fd);
  open_.erase(found);
}

void LoadClient::drop_overdue() {
  while (!started_.empty()) {
    auto const [id, fd] = started_.front();
    auto const found = open_.find(fd);
    bool const under_way =
        found != open_.end() && found->second.id == id && found->second.state != State::thinking;
    if (under_way && now() - found->second.planned <= patience) return;
    started_.pop_front();
    if (under_way) finish(fd, "timeout");
  }
}

void LoadClient::resume_thinking(double time) {
  bool const over = time >= load_.seconds;
  while (!pauses_.empty() && (over || pauses_.top().first <= time)) {
    auto const [planned, request] = pauses_.top();
    pauses_.pop();
    auto const found = open_.find(request.second);
    if (found == open_.end() || found->second.id != request.first) continue;
    auto& connection = found->second;
    if (over) {
      finish(request.second, "");
      continue;
    }
    connection.id = ++next_id_;
    connection.planned = planned;
    started_.emplace_back(connection.id, request.second);
    send_request(request.second, connection);
  }
}

void LoadClient::wait_for_events(double until) {
  if (!pauses_.empty()) until = std::min(until, pauses_.top().first);
  auto const seconds = std::clamp(until - now(), 0.0, longest_wait);
  timespec const wait{.tv_sec = 0, .tv_nsec = static_cast<long>(1e9 * seconds)};
  std::array<epoll_event, 256> events;
  int const ready =
      epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &wait, nullptr);
  for (int i = 0; i < ready; ++i)
    on_event(events.at(static_cast<std::size_t>(i)).data.fd);
}

void LoadClient::on_event(int fd) {
  auto const found = open_.find(fd);
  if (found == open_.end()) return;
  auto& connection = found->second;
  if (connection.state != State::connecting) {
    receive(fd, connection);
    return;
  }
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    finish(fd, error == ECONNREFUSED ? "refused" : "connect");
    return;
  }
  watch(epoll_, EPOLL_CTL_MOD, fd, EPOLLIN);
  send_request(fd, connection);
}

void LoadClient::send_request(int fd, Connection& connection) {
  connection.state = State::waiting;
  connection.received.clear();
  if (send(fd, request_.data(), request_.size(), MSG_NOSIGNAL) < 0) finish(fd, "connect");
}

void LoadClient::receive(int fd, Connection& connection) {
  std::array<char, 4096> buffer;
  ssize_t const got = recv(fd, buffer.data(), buffer.size(), 0);
  if (got > 0) {
    connection.received.append(buffer.data(), static_cast<std::size_t>(got));
    if (load_.requests > 1 && is_complete(connection.received)) answered(fd, connection);
  }
  if (got == 0) finish(fd, "");
  if (got < 0 && errno != EAGAIN) finish(fd, "reset");
}

/// A request of a connection that is kept: think, or say good-bye.
void LoadClient::answered(int fd, Connection& connection) {
  note(connection, "");
  connection.state = State::thinking;
  --connection.left;
  if (connection.left == 0) {
    finish(fd, "");
    return;
  }
  std::exponential_distribution<double> pause(load_.think > 0 ? 1 / load_.think : 1e9);
  pauses_.push({now() + pause(pauses_random_), {connection.id, fd}});
}

}  // namespace lvs::lab
