#pragma once

// Work that may wait for a disk, off the control thread: one thread, one queue, in order.
//
// Threading: any thread calls; the work runs on the worker's own one. Errors: the work's own
// business; it must not throw.

#include <functional>
#include <memory>

namespace lvs::monitord {

/// Runs a piece of work, now or later.
using Background = std::function<void(std::function<void()>)>;

class BackgroundWorker {
 public:
  BackgroundWorker();
  /// Waits for what is queued, for at most two seconds: a disk that does not answer must not keep
  /// the daemon from ending.
  ~BackgroundWorker();
  BackgroundWorker(const BackgroundWorker&) = delete;
  BackgroundWorker& operator=(const BackgroundWorker&) = delete;

  void run(std::function<void()> work);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace lvs::monitord
