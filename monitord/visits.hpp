#pragma once

// Who may visit the control socket at the same time, so that those who may only look cannot keep
// out those who have to act. Pure.

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <optional>

namespace lvs::monitord {

class Visits {
 public:
  /// Empty: the kernel did not say; all of these count as one user.
  using User = std::optional<uid_t>;

  static constexpr std::size_t at_a_time = 32;
  static constexpr std::size_t of_one_user = 8;
  /// Of all users but root and monitord's own together: eight places are left for those two.
  static constexpr std::size_t of_others = 24;

  /// `own`: the user that monitord runs as.
  explicit Visits(uid_t own) : own_(own) {}

  /// Nobody can come now.
  [[nodiscard]] bool full() const { return all_ >= at_a_time; }
  /// Where it is not full.
  [[nodiscard]] bool admits(User user) const;
  void begin(User user);
  void end(User user);

 private:
  [[nodiscard]] bool is_trusted(User user) const { return user && (*user == 0 || *user == own_); }

  uid_t own_;
  std::size_t all_{};
  std::size_t others_{};
  std::map<User, std::size_t> each_{};  ///< of the others; nobody with none
};

}  // namespace lvs::monitord
