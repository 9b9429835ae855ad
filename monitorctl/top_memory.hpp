#pragma once

// What `monitorctl top` knows: the daemon's last status document, the one of the poll before, and
// the trail of every destination. Time comes in as an argument. Pure.

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "monitorctl/history_points.hpp"
#include "monitorctl/status_document.hpp"
#include "monitorctl/top_trail.hpp"

namespace lvs::monitorctl {

struct TopName {
  std::string service{};      ///< "tcp 10.9.9.9:80"
  std::string destination{};  ///< "10.0.0.11:80"

  friend auto operator<=>(const TopName&, const TopName&) = default;
};

/// What is known of a destination beside its verdict.
struct TopRecord {
  TopTrail trail{};
  std::optional<double> rate{};         ///< new connections per second in the last cycle
  std::optional<double> rate_before{};  ///< at the poll before
  bool has_history{};                   ///< the daemon's history is in, as far as it has one
};

class TopMemory {
 public:
  /// An answer of the daemon. `now`, seconds since the epoch, counts where it has no time itself.
  void take(Status status, double now);
  void take_history(const TopName& name, const std::vector<HistoryNumbers>& points);
  /// The daemon did not answer; what it said last stays.
  void take_failure(std::string why) { failure_ = std::move(why); }

  /// In the order of `monitorctl list`. Null until the daemon has answered.
  [[nodiscard]] const Status* status() const { return status_.get(); }
  /// Why the last poll had no answer; empty: it had one.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// Of the last cycle; 0 until the daemon has answered.
  [[nodiscard]] double time() const { return time_; }
  /// The destination at the poll before; null when it was not there.
  [[nodiscard]] const DestinationStatus* before(const TopName& name) const {
    return before_index_.find(name.service, name.destination);
  }
  /// Null for a destination that never was.
  [[nodiscard]] const TopRecord* record(const TopName& name) const;

 private:
  void add_points(bool is_new_cycle);
  void forget_the_gone();

  std::unique_ptr<const Status> status_{}, before_{};
  StatusIndex before_index_{};
  std::map<TopName, TopRecord> records_{};
  std::string failure_{};
  double time_{};
  std::optional<double> cycle_s_{};  ///< length of a cycle
};

}  // namespace lvs::monitorctl
