#include "monitorctl/top_columns.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "top_world.hpp"

using namespace lvs::monitorctl;

namespace {

Status status_with(std::string destination, std::string server, std::string reason) {
  DestinationStatus one;
  one.destination = std::move(destination);
  one.server = std::move(server);
  one.reason = std::move(reason);
  one.current = 10;
  Status status;
  status.services = {{"tcp 10.9.9.9:80", "wrr", {one}}};
  return status;
}

std::size_t total(const std::vector<PlacedColumn>& columns) {
  std::size_t width = 0;
  for (const auto& column : columns)
    width += column.gap + column.width;
  return width;
}

bool has(const std::vector<PlacedColumn>& columns, TopColumn column) {
  return std::ranges::find(columns, column, &PlacedColumn::column) != columns.end();
}

std::string cell(TopColumn column, const DestinationStatus& status,
                 std::optional<double> rate = {}) {
  return cell_text(column, {&status, rate});
}

}  // namespace

TEST_CASE("top columns: never wider than the screen, and a wider one loses nothing") {
  const auto status = GENERATE(
      status_with("10.0.0.11:80", "10.0.0.11", "short"),
      status_with("[2001:db8:1111:2222:3333:4444:5555:6666]:65535", "web1", std::string(90, 'r')),
      lvs::monitorctl::testing::top_status(3), Status{});
  std::size_t before = 0;
  for (std::size_t width = 40; width <= 300; ++width) {
    const auto columns = placed_columns(status, width);
    INFO(width);
    CHECK(total(columns) <= width);
    CHECK(std::ranges::is_sorted(columns, {}, &PlacedColumn::column));
    CHECK(has(columns, TopColumn::weight));
    // One that matters more may take the place of two.
    CHECK(columns.size() + 2 >= before);
    before = columns.size();
  }
}

TEST_CASE("top columns: 80 columns have what one looks for first") {
  const auto columns = placed_columns(status_with("10.0.0.12:8080", "10.0.0.12", ""), 80);
  for (const auto column : {TopColumn::destination, TopColumn::weight, TopColumn::target,
                            TopColumn::cpu, TopColumn::memory, TopColumn::active, TopColumn::age,
                            TopColumn::weight_line, TopColumn::verdict}) {
    CHECK(has(columns, column));
  }
  CHECK_FALSE(has(columns, TopColumn::reason));
}

TEST_CASE("top columns: servers are named where a name says more than the address") {
  CHECK_FALSE(
      has(placed_columns(status_with("10.0.0.11:80", "10.0.0.11", ""), 200), TopColumn::server));
  CHECK(has(placed_columns(status_with("10.0.0.11:80", "web1", ""), 200), TopColumn::server));
}

TEST_CASE("top columns: an address is no name") {
  const auto [destination, server, shown_name] =
      GENERATE(table<std::string, std::string, std::string>({
          {"10.0.0.11:80", "10.0.0.11", ""},
          {"10.0.0.11:80", "10.0.0.1", "10.0.0.1"},
          {"[fd00::11]:80", "fd00::11", ""},
          {"[fd00::11]:80", "80", "80"},
          {"10.0.0.11:80", "", ""},
      }));
  DestinationStatus status;
  status.destination = destination;
  status.server = server;
  CHECK(cell(TopColumn::server, status) == shown_name);
}

TEST_CASE("top columns: the reason has what is left over, and no more than it needs") {
  const auto long_reason = status_with("10.0.0.11:80", "web1", std::string(200, 'r'));
  CHECK(total(placed_columns(long_reason, 200)) == 200);
  const auto columns = placed_columns(long_reason, 100'000);
  CHECK(columns.back() == PlacedColumn{TopColumn::reason, 2, 200});
}

TEST_CASE("top columns: every column has a heading that fits") {
  for (const auto& [column, gap, width] :
       placed_columns(lvs::monitorctl::testing::top_status(3), 250)) {
    CHECK_FALSE(heading_of(column).empty());
    CHECK(heading_of(column).size() <= width);
    CHECK(gap >= 1);
  }
}

TEST_CASE("top columns: what is unknown is a dash") {
  const DestinationStatus unknown;
  for (const auto column : {TopColumn::weight, TopColumn::target, TopColumn::base, TopColumn::cpu,
                            TopColumn::memory, TopColumn::active, TopColumn::inactive,
                            TopColumn::rate, TopColumn::age, TopColumn::verdict}) {
    CHECK(cell(column, unknown) == "-");
  }
}

TEST_CASE("top columns: counts keep to five characters") {
  const auto [count, text] = GENERATE(table<std::uint64_t, std::string>({
      {0, "0"},
      {99'999, "99999"},
      {100'000, "100k"},
      {9'999'999, "9999k"},
      {10'000'000, "10M"},
      {4'294'967'295, "4294M"},
      {10'000'000'000, "10G"},
  }));
  DestinationStatus status;
  status.active = status.inactive = count;
  CHECK(cell(TopColumn::active, status) == text);
  CHECK(cell(TopColumn::inactive, status) == text);
}

TEST_CASE("top columns: ages and rates keep to five characters") {
  const auto [number, age, rate] = GENERATE(table<double, std::string, std::string>({
      {0, "0.0s", "0.0"},
      {0.84, "0.8s", "0.8"},
      {99.94, "99.9s", "99.9"},
      {99.96, "2m", "100"},
      {5999, "100m", "5999"},
      {7200, "2h", "7200"},
      {359'000, "100h", "359k"},
      {1e12, ">99h", "1000G"},
      {1e300, ">99h", "1000000G"},
  }));
  DestinationStatus status;
  status.age_s = number;
  CHECK(cell(TopColumn::age, status) == age);
  CHECK(cell(TopColumn::rate, status, number) == rate);
}

TEST_CASE("top columns: CPU and memory in use are shares of all") {
  DestinationStatus status;
  status.cpu_busy = 0.756;
  status.mem_available = 0.25;
  CHECK(cell(TopColumn::cpu, status) == "76%");
  CHECK(cell(TopColumn::memory, status) == "75%");
  status.cpu_busy = 1e9;
  status.mem_available = 7;
  CHECK(cell(TopColumn::cpu, status) == "999%");
  CHECK(cell(TopColumn::memory, status) == "0%");
}

TEST_CASE("top columns: a tone says what the word says") {
  const auto [outcome, tone] = GENERATE(table<std::string, Tone>({
      {"unchanged", Tone::plain},
      {"change", Tone::plain},
      {"silent_base", Tone::bad},
      {"foreign", Tone::note},
      {"pinned", Tone::hand},
      {"drained", Tone::quiet},
      {"of_a_later_version", Tone::plain},
      {"", Tone::plain},
  }));
  DestinationStatus status;
  status.outcome = outcome;
  CHECK(tone_of(status) == tone);
}
