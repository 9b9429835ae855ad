#pragma once

// A replay for people: what would have been written, beside what was. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "monitord/recording.hpp"
#include "monitord/replay.hpp"

namespace lvs::monitord {

class ReplaySummary {
 public:
  void add(const RecordedCycle& recorded, const ReplayedCycle& replayed);

  /// One block per service, then the outcomes. `interval` is the configuration's.
  [[nodiscard]] std::string text(Moment interval) const;

 private:
  struct Weights {
    std::uint32_t first{}, last{}, smallest{}, largest{};
    double shares{};  ///< sum over the cycles of weight / weights of the service
    std::uint64_t writes{};

    void add(std::uint32_t weight, double share, bool is_first);
  };
  struct Destination {
    std::uint64_t cycles{};
    Weights replayed{}, recorded{};
  };
  struct Service {
    std::string scheduler{};
    std::map<ipvs::DestinationKey, Destination> destinations{};
  };

  void add_recorded(const RecordedCycle& recorded);
  void add_replayed(const ReplayedCycle& replayed);
  [[nodiscard]] std::string head(Moment interval) const;
  static std::string cells(const Weights& weights, std::uint64_t cycles);
  static std::string service_text(const ipvs::ServiceKey& key, const Service& service);

  std::map<ipvs::ServiceKey, Service> services_{};
  std::map<Outcome, std::uint64_t> outcomes_{};
  std::uint64_t cycles_{};
  Moment first_{}, last_{}, longest_gap_{};
  double watched_s_{};  ///< sum of the times between lines, restarts left out
  std::uint64_t gaps_{};
  std::optional<double> first_wall_time_{}, last_wall_time_{};
};

/// One line per write: time, service, destination, weights, reason.
std::string changes_from_replayed(const RecordedCycle& recorded, const ReplayedCycle& replayed);

}  // namespace lvs::monitord
