#pragma once

// A controller on a table in memory and a state file of its own, that can be killed and started
// anew.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "monitord/controller.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"

/// Apart from other tests' servers of the same names.
namespace lvs::monitord::testing::host {

inline const auto vip = service_key("tcp 10.9.9.9:80");
inline const auto web1 = destination_key("10.0.0.11:80");
inline const auto web2 = destination_key("10.0.0.12:80");
inline const DestinationId web1_id{vip, web1};

inline Config active_config() {
  Config config;
  config.dry_run = false;
  config.defaults.strategy = StrategyKind::headroom;
  config.defaults.min_write_interval = 0s;
  return config;
}

inline std::vector<ipvs::ServiceEntry> two_servers() {
  return {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}})};
}

/// web1 has next to nothing to spare, web2 everything.
inline Readings unequal(Moment now) {
  return {{address("10.0.0.11"), {now, 0.9, 0.3, {}, false}},
          {address("10.0.0.12"), {now, 0.05, 0.9, {}, false}}};
}

/// A daemon that can be killed: what the kernel and the file hold stays.
struct Host {
  lvs::testing::ScratchFolder folder{};
  ipvs::FakeTable table{two_servers()};
  Moment now{1000s};
  std::unique_ptr<StateJournal> journal{};
  std::unique_ptr<Controller> controller{};

  Host() { boot(); }

  void boot() {
    controller.reset();
    journal = std::make_unique<StateJournal>(folder.file("state"));
    controller = std::make_unique<Controller>(active_config(), table, journal.get(),
                                              journal->open().value());
  }
  CycleReport cycle(const Readings& readings) {
    now += 2s;
    return controller->cycle(now, readings);
  }
  [[nodiscard]] std::uint32_t weight(const ipvs::DestinationKey& key) {
    return table.find(vip, key)->weight;
  }
  [[nodiscard]] std::uint32_t recorded_base() const {
    return StateJournal::peek(folder.file("state")).destinations.at(web1_id).base;
  }
};

inline const Verdict& verdict_of(const CycleReport& report, const ipvs::DestinationKey& key) {
  auto const found = std::ranges::find(report.verdicts, key, &Verdict::destination);
  REQUIRE(found != report.verdicts.end());
  return *found;
}

}  // namespace lvs::monitord::testing::host
