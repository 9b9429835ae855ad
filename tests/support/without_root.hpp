#pragma once

// Root reads every file. A test of what others cannot read steps down while this lives.

#include <unistd.h>

#include <stdexcept>

namespace lvs::testing {

class WithoutRoot {
 public:
  static constexpr uid_t nobody = 65534;

  /// As `other`, where this is root.
  explicit WithoutRoot(uid_t other = nobody) : user_{::geteuid()} {
    become(user_ == 0 ? other : user_);
  }
  ~WithoutRoot() { static_cast<void>(::seteuid(user_)); }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;

 private:
  static void become(uid_t user) {
    if (::seteuid(user) != 0) throw std::runtime_error{"seteuid"};
  }

  uid_t user_;
};

}  // namespace lvs::testing
