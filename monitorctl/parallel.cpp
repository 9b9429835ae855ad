#include "monitorctl/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lvs::monitorctl {

void for_each_parallel(std::size_t count, unsigned jobs,
                       const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& done) {
  std::atomic<std::size_t> next{0};
  std::mutex lock;
  std::size_t finished = 0;
  std::exception_ptr failure;
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
        const std::lock_guard guard(lock);
        done(++finished);
      } catch (...) {
        const std::lock_guard guard(lock);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  const std::size_t wanted = jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads(std::min(count, wanted));
  for (auto& thread : threads)
    thread = std::jthread(worker);
  threads.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lvs::monitorctl
