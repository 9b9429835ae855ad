#include "monitorctl/table_difference.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/save_text.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::ipvs::ForwardingMethod;
using lvs::monitorctl::testing::captured_table;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::service_key;
namespace flag = lvs::ipvs::service_flag;

namespace {

using Kind = Difference::Kind;

std::vector<lvs::ipvs::ServiceEntry> sorted_table() {
  auto table = captured_table();
  sort_as_ipvsadm(table);
  return table;
}

/// One of each kind of change.
std::vector<lvs::ipvs::ServiceEntry> other_table() {
  auto table = sorted_table();
  auto& web = table[0];
  web.service.scheduler = "wlc";
  web.service.timeout_s = 60;
  web.destinations[0].weight = 88;
  web.destinations[0].upper_threshold = 0;
  web.destinations[0].lower_threshold = 0;
  web.destinations[0].active_connections = 42;  // does not count
  web.destinations[1].key = destination_key("10.0.0.13:8080");
  web.destinations[2].weight = 6;
  table[1].service.key = service_key("udp:10.9.9.9:54");
  table[3].destinations[0].forwarding = ForwardingMethod::masquerade;
  return table;
}

}  // namespace

TEST_CASE("difference: a table is not different from itself, in whatever order") {
  auto table = sorted_table();
  CHECK(differences(table, captured_table(), Weights::compared).empty());
  table[0].destinations[0].statistics.connections = 5;
  table[0].destinations[0].inactive_connections = 5;
  CHECK(differences(table, captured_table(), Weights::compared).empty());
  CHECK(differences({}, {}, Weights::compared).empty());
}

TEST_CASE("difference: what came, went and changed, with its settings") {
  const auto all = differences(sorted_table(), other_table(), Weights::compared);
  CHECK(difference_text(all, "evening.saved", "the kernel's table") ==
        golden("monitorctl/diff.txt"));
  CHECK(difference_text({}, "evening.saved", "the kernel's table").empty());
}

TEST_CASE("difference: the other way round it is the other way round") {
  const auto there = differences(sorted_table(), other_table(), Weights::compared);
  auto back = differences(other_table(), sorted_table(), Weights::compared);
  REQUIRE(back.size() == there.size());
  for (auto& difference : back) {
    if (difference.kind == Kind::changed) {
      for (auto& setting : difference.settings)
        std::swap(setting.from, setting.to);
      CHECK(std::find(there.begin(), there.end(), difference) != there.end());
    }
  }
}

TEST_CASE("difference: without weights a weight is none") {
  const auto all = differences(sorted_table(), other_table(), Weights::left_out);
  CHECK(difference_text(all, "a", "b") == golden("monitorctl/diff-no-weights.txt"));
  auto table = sorted_table();
  table[0].destinations[0].weight = 1;
  CHECK(differences(sorted_table(), table, Weights::left_out).empty());
  CHECK(differences(sorted_table(), table, Weights::compared).size() == 1);
}

TEST_CASE("difference: mask and time of a service without persistence have no meaning") {
  auto one = sorted_table();
  one[2].service.timeout_s = 300;
  one[2].service.netmask = 64;
  CHECK(differences(one, sorted_table(), Weights::compared).empty());
}

TEST_CASE("difference: flags and tunnels that are others are found") {
  auto other = sorted_table();
  other[1].service.flags = flag::sched1;
  other[3].destinations[0].tunnel.port = 5556;
  const auto all = differences(sorted_table(), other, Weights::compared);
  REQUIRE(all.size() == 2);
  CHECK(all[0].settings ==
        std::vector<SettingChange>{{"flags", "sh-fallback,sh-port", "sh-fallback"},
                                   {"one-packet", "yes", "no"}});
  CHECK(all[1].settings == std::vector<SettingChange>{{"tunnel", "gue:5555:+c", "gue:5556:+c"}});
}

TEST_CASE("diff: the exit status is that of diff") {
  CHECK(printed_diff({}, "a", "b") == Printed{});
  const auto all = differences(sorted_table(), other_table(), Weights::compared);
  CHECK(printed_diff(all, "a", "b").status == 1);
}
