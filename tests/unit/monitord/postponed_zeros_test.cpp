// Zeros of monitord's own that the state file does not take: not set, said, tried again (law 1).

#include <algorithm>
#include <filesystem>
#include <string>

#include "monitord/postponed_zeros.hpp"
#include "monitord/reasons.hpp"
#include "support/catch.hpp"
#include "support/disk_full.hpp"
#include "unit/monitord/controller_host.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace lvs::monitord::testing::host;

namespace {

const auto web3 = destination_key("10.0.0.13:80");

/// web1 busy, web2 idle, web3 in between.
Readings three_readings(Moment now) {
  auto readings = unequal(now);
  readings[address("10.0.0.13")] = {now, 0.4, 0.6, {}, false};
  return readings;
}

struct HostOfThree : Host {
  HostOfThree() {
    table.entries[0].destinations.push_back(destination("10.0.0.13:80", 10));
    cycle({});
  }
  CycleReport busy_cycle() { return cycle(three_readings(now + 2s)); }
  [[nodiscard]] std::size_t recorded() const {
    return std::filesystem::file_size(folder.file("state"));
  }
  [[nodiscard]] bool own_zero_on_disk(const ipvs::DestinationKey& key) const {
    auto const known = StateJournal::peek(folder.file("state")).destinations.at({vip, key});
    return known.own_zero.has_value();
  }
};

bool says_postponed(const CycleReport& report) {
  return std::ranges::any_of(report.notes, [](const std::string& note) {
    return note.find("1 destination is to be set to 0") == 0;
  });
}

}  // namespace

TEST_CASE("postponed zeros: a drain waits for a disk that is full, and weights do not") {
  HostOfThree host;
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web3, 0, {}}, host.now).has_value());
  {
    lvs::testing::DiskFull const full(host.recorded());
    for (int tries = 0; tries < 3; ++tries) {
      auto const report = host.busy_cycle();
      CHECK(host.weight(web3) == 10);
      auto const& verdict = verdict_of(report, web3);
      CHECK(verdict.outcome == Outcome::hand_drain);
      CHECK(reason_of(verdict).find("cannot be written down first") != std::string::npos);
      CHECK_FALSE(verdict.write.has_value());
      CHECK_FALSE(verdict.own_zero.has_value());
      CHECK(says_postponed(report));
      CHECK(report.failed_writes == 0);
    }
    CHECK(host.weight(web1) < 10);
    CHECK_FALSE(host.own_zero_on_disk(web3));
  }
  auto const report = host.busy_cycle();
  CHECK(host.weight(web3) == 0);
  CHECK(host.own_zero_on_disk(web3));
  CHECK_FALSE(says_postponed(report));
}

TEST_CASE("postponed zeros: a zero that somebody else sets meanwhile is theirs") {
  HostOfThree host;
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web3, 0, {}}, host.now).has_value());
  {
    lvs::testing::DiskFull const full(host.recorded());
    host.busy_cycle();
  }
  host.table.find(vip, web3)->weight = 0;
  auto const report = host.busy_cycle();
  CHECK(verdict_of(report, web3).outcome == Outcome::drained);
  CHECK_FALSE(host.own_zero_on_disk(web3));
}

TEST_CASE("postponed zeros: without a state file none is set, by whatever reason") {
  auto const cause = GENERATE(ZeroCause::hand, ZeroCause::agent, ZeroCause::silence);
  HostOfThree host;
  auto config = active_config();
  config.defaults.agent_drain = true;
  config.defaults.on_silence = SilencePolicy::drain;
  Controller bare(config, host.table, nullptr, {});
  bare.cycle(host.now, three_readings(host.now));
  if (cause == ZeroCause::hand) {
    REQUIRE(bare.take({Order::Kind::drain, vip, web3, 0, {}}, host.now).has_value());
  }
  CycleReport report;
  for (int cycle = 0; cycle < 12; ++cycle) {
    host.now += 2s;
    auto readings = three_readings(cause == ZeroCause::silence ? 1002s : host.now);
    for (auto const* server : {"10.0.0.11", "10.0.0.12"})
      readings.at(address(server)).taken = host.now;
    readings.at(address("10.0.0.13")).draining = cause == ZeroCause::agent;
    report = bare.cycle(host.now, readings);
  }
  CHECK(host.weight(web3) > 0);
  CHECK(says_postponed(report));
}

TEST_CASE("postponed zeros: what was written down is not spoken of") {
  std::vector<Verdict> verdicts(1);
  verdicts[0].service = vip;
  verdicts[0].destination = web1;
  verdicts[0].write = 0;
  verdicts[0].reason = "drained by hand";
  CHECK_FALSE(tell_postponed(verdicts, {}).has_value());
  std::vector<Applied> const written{{vip, {web1, 10, 0, "", {}}, Applied::Result::written, {}}};
  CHECK_FALSE(tell_postponed(verdicts, written).has_value());
  CHECK(verdicts[0].reason == "drained by hand");
}
