#pragma once

// A table in memory whose counters move as if clients came: with every reading of the whole, an
// interval passes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ipvs/fake_table.hpp"

namespace lvs::bench {

/// Services of 100 destinations, wrr and wlc in turn, each destination a real server of its own on
/// loopback (loopback_servers.hpp), all with the weight 10.
std::vector<ipvs::ServiceEntry> loopback_table(std::size_t servers);

class MovingTable : public ipvs::Table {
 public:
  using CpuClock = std::function<double()>;

  /// `clock`: CPU seconds of the calling thread so far.
  MovingTable(std::vector<ipvs::ServiceEntry> entries, CpuClock clock)
      : table_(std::move(entries)), clock_(std::move(clock)) {}

  tl::expected<std::vector<ipvs::ServiceEntry>, ipvs::Error> services() override;
  tl::expected<ipvs::ServiceEntry, ipvs::Error> service(const ipvs::ServiceKey& key) override;
  std::vector<tl::expected<void, ipvs::Error>> set_weights(
      const ipvs::ServiceKey& key, std::span<const ipvs::WeightWrite> writes) override;

  /// CPU seconds that went into all calls: what stands for the kernel and the reading of its table.
  [[nodiscard]] double spent_s() const { return spent_s_; }

 private:
  template <typename Work>
  auto timed(Work work) {
    const auto before = clock_();
    auto result = work();
    spent_s_ += clock_() - before;
    return result;
  }
  void pass_interval();

  ipvs::FakeTable table_;
  CpuClock clock_;
  double spent_s_{};
  std::uint64_t intervals_{};
};

}  // namespace lvs::bench
