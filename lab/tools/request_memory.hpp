#pragma once

// Memory that requests hold while they are worked on, a block each, as a web application's workers
// do. Thread-safe.

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>

namespace lvs::lab {

class RequestMemory {
 public:
  /// A block of `bytes` for each request; 0: none at all.
  explicit RequestMemory(std::size_t bytes) : bytes_(bytes) {}
  ~RequestMemory();
  RequestMemory(const RequestMemory&) = delete;
  RequestMemory& operator=(const RequestMemory&) = delete;

  /// While it lives a request holds a block, all pages of which were written. Where the kernel has
  /// none to give the request goes without.
  class Hold {
   public:
    explicit Hold(RequestMemory& memory) : memory_(memory), block_(memory.take()) {}
    ~Hold() { memory_.give(block_); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    RequestMemory& memory_;
    char* block_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  struct Free {
    char* block{};
    Clock::time_point since{};
  };

  /// The block that was given back last, so that no more are in use than there were requests at a
  /// time. Null: none.
  char* take();
  /// Blocks that nobody needed for `patience` go back to the kernel.
  void give(char* block);

  static constexpr std::chrono::seconds patience{3};

  std::size_t bytes_;
  std::mutex mutex_{};
  std::deque<Free> free_{};  ///< the longest unused one first
};

}  // namespace lvs::lab
