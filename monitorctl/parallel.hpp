#pragma once

// The same work on many items, over several threads.

#include <cstddef>
#include <functional>

namespace lvs::monitorctl {

/// Calls `work(i)` for every i below `count`, each once, from `jobs` threads (0: one per CPU), and
/// `done(finished)` after each from the same thread, one call at a time. The first exception of
/// `work` ends it and is thrown.
void for_each_parallel(std::size_t count, unsigned jobs,
                       const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& done);

}  // namespace lvs::monitorctl
