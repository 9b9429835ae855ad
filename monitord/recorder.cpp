#include "monitord/recorder.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "monitord/rotating_file.hpp"

namespace lvs::monitord {
namespace {

using namespace std::chrono_literals;

constexpr auto patience_at_the_end = 2s;
constexpr auto patience_after_stop = 500ms;

}  // namespace

/// Outlives the Recorder when the disk does not answer: the thread is left to itself then.
struct Recorder::Shared {
  mutable std::mutex mutex{};
  std::condition_variable changed{};
  std::deque<std::string> lines{};
  std::size_t bytes{};  ///< of `lines`, and of the one that is being written
  std::size_t most_bytes{};
  std::optional<RecordConfig> reopen{};
  bool ending{}, ended{};
  bool too_slow{};  ///< since the queue was empty last
  std::stop_source stop{};
  Status status{};
  RotatingFile file;  ///< the thread's alone

  Shared(RecordConfig config, std::size_t queue_bytes)
      : most_bytes(queue_bytes), file(std::move(config)) {}

  void run();
  void write_next(std::unique_lock<std::mutex>& lock);
};

void Recorder::Shared::run() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return ending || reopen || !lines.empty(); });
    if (reopen) {
      auto config = *std::exchange(reopen, std::nullopt);
      lock.unlock();  // closing may take as long as the disk wants
      file.reopen(std::move(config));
      lock.lock();
    } else if (!lines.empty()) {
      write_next(lock);
    } else {
      ended = true;
      changed.notify_all();
      return;
    }
  }
}

void Recorder::Shared::write_next(std::unique_lock<std::mutex>& lock) {
  const auto line = std::move(lines.front());
  lines.pop_front();
  lock.unlock();
  auto done = file.append(line, stop.get_token());
  lock.lock();
  bytes -= line.size();
  if (lines.empty()) too_slow = false;
  if (done) {
    ++status.written;
    status.problem.clear();
  } else {
    ++status.dropped;
    status.problem = std::move(done.error());
  }
}

Recorder::Recorder(RecordConfig config, std::size_t queue_bytes)
    : shared_(std::make_shared<Shared>(std::move(config), queue_bytes)) {
  // Signals belong to the loop; SIGPIPE of a pipe without a reader becomes an error here.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([shared = shared_] { shared->run(); }).detach();
  } catch (const std::system_error& error) {
    shared_->ended = true;
    shared_->status.problem = error.what();
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Recorder::~Recorder() {
  if (!shared_) return;
  const auto has_ended = [this] { return shared_->ended; };
  std::unique_lock lock(shared_->mutex);
  shared_->ending = true;
  shared_->changed.notify_all();
  if (shared_->changed.wait_for(lock, patience_at_the_end, has_ended)) return;
  shared_->stop.request_stop();
  shared_->lines.clear();
  shared_->changed.wait_for(lock, patience_after_stop, has_ended);
}

void Recorder::take(std::string line) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->ended || shared_->bytes + line.size() > shared_->most_bytes) {
    shared_->too_slow = true;
    ++shared_->status.dropped;
    return;
  }
  shared_->bytes += line.size();
  shared_->lines.push_back(std::move(line));
  shared_->changed.notify_all();
}

void Recorder::reopen(RecordConfig config) {
  const std::lock_guard lock(shared_->mutex);
  shared_->reopen = std::move(config);
  shared_->changed.notify_all();
}

void Recorder::finish_in_background() {
  const auto shared = std::move(shared_);
  const std::lock_guard lock(shared->mutex);
  shared->ending = true;
  shared->changed.notify_all();
}

Recorder::Status Recorder::status() const {
  const std::lock_guard lock(shared_->mutex);
  auto status = shared_->status;
  if (status.problem.empty() && shared_->too_slow) status.problem = "the disk is too slow";
  return status;
}

}  // namespace lvs::monitord
