#include "monitorctl/top_rows.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ipvs/types.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "top_world.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::top_memory;

namespace {

std::string names(const std::vector<TopGroup>& groups) {
  std::string text;
  for (const auto& group : groups) {
    text += group.service->service + ":";
    for (const auto& row : group.rows)
      text += " " + row.now.status->destination;
    text += "; ";
  }
  return text;
}

DestinationStatus destination(std::string name, std::optional<std::uint64_t> weight,
                              std::optional<double> cpu, std::optional<double> free,
                              std::optional<std::uint64_t> active) {
  DestinationStatus made;
  made.destination = std::move(name);
  made.current = weight;
  made.cpu_busy = cpu;
  made.mem_available = free;
  made.active = active;
  return made;
}

TopMemory memory_of(std::vector<ServiceStatus> services) {
  Status status;
  status.cycle = 1;
  status.services = std::move(services);
  TopMemory memory;
  memory.take(std::move(status), 0);
  return memory;
}

}  // namespace

TEST_CASE("top rows: services and destinations come as list has them") {
  const auto table = lvs::monitorctl::testing::captured_table();
  Status status;
  std::vector<std::string> expected;
  for (const auto& entry : table) {
    auto& service = status.services.emplace_back();
    service.service = lvs::ipvs::string_from_service_key(entry.service.key);
    for (const auto& one : entry.destinations) {
      service.destinations.emplace_back().destination =
          lvs::ipvs::string_from_destination_key(one.key);
    }
  }
  status.services.insert(status.services.begin(), ServiceStatus{"no service", "", {}});
  sort_as_listed(status);
  auto sorted = table;
  sort_as_ipvsadm(sorted);
  REQUIRE(status.services.size() == sorted.size() + 1);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    CHECK(status.services[i].service == lvs::ipvs::string_from_service_key(sorted[i].service.key));
    REQUIRE(status.services[i].destinations.size() == sorted[i].destinations.size());
    for (std::size_t j = 0; j < sorted[i].destinations.size(); ++j) {
      CHECK(status.services[i].destinations[j].destination ==
            lvs::ipvs::string_from_destination_key(sorted[i].destinations[j].key));
    }
  }
  CHECK(status.services.back().service == "no service");
}

TEST_CASE("top rows: the highest first within a service, and what is unknown last") {
  const auto memory = memory_of(
      {{"tcp 10.9.9.9:80",
        "wrr",
        {destination("10.0.0.1:80", 5, 0.5, 0.9, 3), destination("10.0.0.2:80", {}, {}, {}, {}),
         destination("10.0.0.3:80", 9, 0.25, 0.1, 3),
         destination("10.0.0.4:80", 0, 0.75, 0.5, 70)}},
       {"udp 10.9.9.9:53", "wrr", {destination("10.0.0.9:53", 1, {}, {}, 0)}}});
  const auto [sort, order] = GENERATE(table<TopSort, std::string>({
      {TopSort::table, "1234"},
      {TopSort::weight, "3142"},
      {TopSort::cpu, "4132"},
      {TopSort::memory, "3412"},
      {TopSort::connections, "4132"},
  }));
  std::string expected = "tcp 10.9.9.9:80:";
  for (const char number : order)
    expected += std::string(" 10.0.0.") + number + ":80";
  CHECK(names(top_groups(memory, sort, "")) == expected + "; udp 10.9.9.9:53: 10.0.0.9:53; ");
}

TEST_CASE("top rows: every word of a filter has to be somewhere") {
  const auto [filter, expected] = GENERATE(table<std::string, std::string>({
      {"silent", "tcp 10.9.9.9:80: 10.0.0.12:80; "},
      {"SILENT_HOLD", "tcp 10.9.9.9:80: 10.0.0.12:80; "},
      {"tcp  drained ", "tcp 10.9.9.9:80: 10.0.0.13:80; "},
      {"fwm", "fwm 7: 10.0.0.11:0; "},
      {"fd00::11", "udp [fd00::9]:53: [fd00::11]:53; "},
      {"<SCRIPT>", "tcp 10.9.9.9:80: 10.0.0.14:80; "},
      {"silent udp", ""},
      {"0.12", "tcp 10.9.9.9:80: 10.0.0.12:80; "},
  }));
  INFO(filter);
  const auto memory = top_memory(2);
  CHECK(names(top_groups(memory, TopSort::table, filter)) == expected);
}

TEST_CASE("top rows: a service without destinations is shown unless something is looked for") {
  const auto memory = memory_of({{"tcp 10.9.9.9:80", "wrr", {}}});
  CHECK(names(top_groups(memory, TopSort::table, " ")) == "tcp 10.9.9.9:80:; ");
  CHECK(names(top_groups(memory, TopSort::table, "tcp")).empty());
  CHECK(names(top_groups(TopMemory(), TopSort::table, "")).empty());
}

TEST_CASE("top rows: the sparklines of a service have one scale, also with a filter") {
  const auto memory = memory_of(
      {{"tcp 10.9.9.9:80",
        "wrr",
        {destination("10.0.0.1:80", 5, {}, {}, {}), destination("10.0.0.2:80", 90, {}, {}, {})}}});
  CHECK(top_groups(memory, TopSort::table, "0.1:80").front().highest_weight == 90);
}

TEST_CASE("top rows: sorts go round") {
  auto sort = TopSort::table;
  std::string all;
  for (std::size_t i = 0; i < top_sorts.size(); ++i) {
    all += std::string(string_from_top_sort(sort)) + " ";
    sort = next_sort(sort);
  }
  CHECK(all == "table weight cpu memory connections ");
  CHECK(sort == TopSort::table);
}

TEST_CASE("top rows: histories are asked for once, and so many at a time") {
  std::vector<DestinationStatus> many;
  for (int i = 1; i <= 40; ++i)
    many.push_back(destination("10.0.0." + std::to_string(i) + ":80", 1, {}, {}, {}));
  auto memory = memory_of({{"tcp 10.9.9.9:80", "wrr", many}});
  const auto all = names_of(top_groups(memory, TopSort::table, ""));
  REQUIRE(all.size() == 40);
  auto missing = without_history(memory, all);
  CHECK(missing.size() == most_histories);
  CHECK(missing.front() == all.front());
  for (const auto& name : missing)
    memory.take_history(name, {});
  missing = without_history(memory, all);
  CHECK(missing.size() == 40 - most_histories);
  CHECK(without_history(memory, {{"tcp 10.9.9.9:80", "10.9.9.9:9"}}).empty());
}
