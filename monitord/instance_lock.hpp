#pragma once

// At most one monitord per network namespace: two writers would undo each other's weights.

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

/// A name in the abstract unix(7) namespace, which is the network namespace's own, as the IPVS
/// table is. It goes with the process, however that ends: there is no stale lock.
class InstanceLock {
 public:
  /// The error is one line that names the other's pid.
  static tl::expected<InstanceLock, std::string> acquire(std::string_view name = "monitord");

  /// Drops those who came to learn our pid, so that the queue never fills. Never blocks.
  void drain();

 private:
  explicit InstanceLock(FileDescriptor socket) : socket_(std::move(socket)) {}

  FileDescriptor socket_;
};

}  // namespace lvs::monitord
