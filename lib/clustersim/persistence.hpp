#pragma once

// Persistence templates: which client belongs to whom for now.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lvs::clustersim {

/// As ip_vs_sched_persist and ip_vs_conn_expire do it: every new connection restarts the template's
/// timeout; a template that runs out while it still controls connection entries (TIME_WAIT counts)
/// lives on by a minute at a time.
class Persistence {
 public:
  /// `timeout_s` 0: no persistence, nothing is ever found.
  Persistence(double timeout_s, std::size_t clients);

  [[nodiscard]] bool enabled() const { return timeout_s_ > 0; }
  /// The client's destination, if its template lives at `now`.
  std::optional<std::size_t> find(double now, std::uint32_t client);
  void forget(std::uint32_t client);
  void opened(double now, std::uint32_t client, std::size_t destination);
  /// A connection ended; its entry stays until `entry_gone_at`.
  void closed(std::uint32_t client, double entry_gone_at);

 private:
  struct Template {
    bool exists{};
    std::uint32_t destination{};
    double expires_at{};
    std::uint32_t open{};
    double entries_gone_at{};  ///< of the connections that ended
  };

  double timeout_s_;
  std::vector<Template> templates_;
};

}  // namespace lvs::clustersim
