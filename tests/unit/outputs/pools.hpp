#pragma once

// Pools as tests declare them, and an output that writes down what it is told.

#include <cerrno>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/outputs/output.hpp"
#include "unit/monitord/director.hpp"

namespace lvs::monitord::testing {

struct Declared {
  std::string destination{}, name{};
  std::uint32_t base{};
};

inline PoolConfig pool_config(std::string_view name, const std::vector<Declared>& servers) {
  PoolConfig pool;
  pool.service.key = service_key("pool " + std::string(name));
  pool.service.output = OutputKind::haproxy;
  pool.service.policy.strategy = StrategyKind::headroom;
  pool.service.policy.min_write_interval = 0s;
  pool.service.policy.standby = StandbyPolicy::steer;
  pool.backend = "be";
  for (auto const& server : servers) {
    pool.service.bases.emplace(destination_key(server.destination), server.base);
    pool.names.emplace(destination_key(server.destination), server.name);
  }
  return pool;
}

inline PoolConfig pool_of_two() {
  return pool_config("web", {{"10.0.0.11:80", "s1", 100}, {"10.0.0.12:80", "s2", 50}});
}

/// A service of the kernel's table whose weights go through track files.
inline ServiceConfig kept_service() {
  ServiceConfig service;
  service.key = service_key("tcp 10.9.9.9:80");
  service.output = OutputKind::keepalived;
  service.folder = "/f";
  service.bases = {{destination_key("10.0.0.11:80"), 10}, {destination_key("10.0.0.12:80"), 20}};
  return service;
}

class RecordingOutput : public Output {
 public:
  explicit RecordingOutput(OutputKind kind) : kind_(kind) {}

  std::vector<OutputPool> declared{};
  bool acts{};
  std::vector<std::pair<std::string, std::uint32_t>> written{};  ///< name, weight
  std::map<std::string, std::string> failing{};                  ///< name -> why

  [[nodiscard]] OutputKind kind() const override { return kind_; }
  void declare(const std::vector<OutputPool>& pools, bool may_act, Moment) override {
    declared = pools;
    acts = may_act;
  }
  std::vector<Result> apply(const ipvs::ServiceKey&,
                            std::span<const OutputServer> weights) override {
    std::vector<Result> results;
    for (auto const& server : weights) {
      if (auto const why = failing.find(server.name); why != failing.end()) {
        results.push_back(tl::unexpected(ipvs::Error{ipvs::ErrorKind::refused, EIO, why->second}));
        continue;
      }
      written.emplace_back(server.name, server.weight);
      results.emplace_back();
    }
    return results;
  }
  [[nodiscard]] std::vector<std::string> notes(Moment) const override { return {}; }

 private:
  OutputKind kind_;
};

}  // namespace lvs::monitord::testing
