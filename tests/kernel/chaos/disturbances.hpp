#pragma once

// What goes wrong around monitord while an operator edits the table: load, agents, network, clock,
// and monitord itself.

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "kernel/chaos/operator.hpp"
#include "kernel/machines.hpp"
#include "kernel/process.hpp"

namespace lvs::chaos {

class Disturbances {
 public:
  static constexpr int servers = 6;

  explicit Disturbances(Random& random);

  /// Other loads everywhere.
  void shake();

  /// One thing goes wrong, or right again. True: monitord was killed and started anew.
  bool disturb();

  /// All agents and a good network are there again.
  void calm_down();

  [[nodiscard]] std::string counts() const;

 private:
  void agent_dies_or_comes_back();
  void network_gets_bad_or_good();
  void clock_steps();
  void restart_monitord();
  void make_good(int server);

  Random& random_;
  guest::Machines machines_;
  std::array<bool, servers> dead_{}, bad_{};
  std::unique_ptr<guest::Process> monitord_{};
  std::map<std::string, std::size_t> counts_{};
};

}  // namespace lvs::chaos
