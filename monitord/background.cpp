#include "monitord/background.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace lvs::monitord {
namespace {

constexpr std::chrono::seconds patience_at_the_end{2};

}  // namespace

/// Outlives the worker when the disk does not answer: the thread is left to itself then.
struct BackgroundWorker::Shared {
  std::mutex mutex{};
  std::condition_variable changed{};
  std::deque<std::function<void()>> queue{};
  bool ending{}, ended{};

  void loop() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ending || !queue.empty(); });
      if (queue.empty()) break;
      const auto work = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
    ended = true;
    changed.notify_all();
  }
};

BackgroundWorker::BackgroundWorker() : shared_(std::make_shared<Shared>()) {
  // Signals belong to the control loop.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([shared = shared_] { shared->loop(); }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BackgroundWorker::~BackgroundWorker() {
  std::unique_lock lock(shared_->mutex);
  shared_->ending = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, patience_at_the_end, [this] { return shared_->ended; });
}

void BackgroundWorker::run(std::function<void()> work) {
  const std::lock_guard lock(shared_->mutex);
  shared_->queue.push_back(std::move(work));
  shared_->changed.notify_all();
}

}  // namespace lvs::monitord
