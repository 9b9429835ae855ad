// The targets of every strategy against tables that an awk script computed: see
// tests/golden/loadcalc/README.md.

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "loadcalc/capacity.hpp"
#include "loadcalc/feedback.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/linear.hpp"
#include "loadcalc/relief.hpp"
#include "loadcalc/response.hpp"
#include "loadcalc/scheduler.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::Target;

const std::string folder = LVS_SOURCE_DIR "/tests/golden/loadcalc/";

std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::ifstream file(folder + name);
  if (!file) throw std::runtime_error("no " + folder + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;)
      row.push_back(word);
    rows.push_back(row);
  }
  return rows;
}

std::optional<double> number(const std::string& word) {
  if (word == "-") return std::nullopt;
  return std::stod(word);
}

std::optional<Measures> measures(const std::string& cpu, const std::string& memory) {
  if (cpu == "-") return std::nullopt;
  return Measures{std::stod(cpu), std::stod(memory)};
}

void fill_model(Member& member, const std::vector<std::string>& row) {
  auto& model = member.model;
  model.work = number(row.at(13)).value_or(0);
  model.load = number(row.at(14)).value_or(0);
  model.composite = number(row.at(15)).value_or(0);
  model.samples = number(row.at(15)) ? 5 : 0;
}

Member member_of(const std::vector<std::string>& row) {
  Member member;
  member.base = static_cast<std::uint32_t>(std::stoul(row.at(2)));
  member.current = static_cast<std::uint32_t>(std::stoul(row.at(3)));
  member.standing = number(row.at(4));
  member.measures = measures(row.at(5), row.at(6));
  member.further.network_utilisation = number(row.at(7));
  member.further.disk_utilisation = number(row.at(8));
  member.further.processes = number(row.at(9));
  member.further.load_per_cpu = number(row.at(10));
  member.further.response_s = number(row.at(11));
  member.input = std::stod(row.at(12));
  member.active = std::stod(row.at(16));
  fill_model(member, row);
  return member;
}

std::map<std::string, Pool> pools() {
  std::map<std::string, Pool> result;
  for (auto const& row : rows_of("pools.txt")) {
    auto& pool = result[row.at(0)];
    pool.scheduler = row.at(1);
    pool.weight_use = lvs::loadcalc::weight_use(pool.scheduler);
    pool.arrivals = std::stod(row.at(17));
    pool.members.push_back(member_of(row));
  }
  return result;
}

void check_table(const std::string& table,
                 const std::function<std::vector<Target>(const Pool&)>& strategy) {
  auto const all = pools();
  auto const rows = rows_of(table);
  std::size_t members = 0;
  for (auto const& [name, pool] : all)
    members += pool.members.size();
  REQUIRE(rows.size() == members);
  for (auto const& row : rows) {
    INFO(row.at(0) << " member " << row.at(1));
    auto const targets = strategy(all.at(row.at(0)));
    CHECK(targets.at(std::stoul(row.at(1)) - 1).weight ==
          Approx(std::stod(row.at(2))).margin(1e-6));
  }
}

TEST_CASE("golden: capacity") {
  check_table("capacity.txt",
              [](const Pool& pool) { return lvs::loadcalc::capacity_targets(pool, {}); });
}

TEST_CASE("golden: headroom") {
  check_table("headroom.txt",
              [](const Pool& pool) { return lvs::loadcalc::headroom_targets(pool, {}); });
}

TEST_CASE("golden: feedback") {
  check_table("feedback.txt",
              [](const Pool& pool) { return lvs::loadcalc::feedback_targets(pool, {}); });
}

TEST_CASE("golden: response") {
  check_table("response.txt",
              [](const Pool& pool) { return lvs::loadcalc::response_targets(pool, {}); });
}

/// Of a strategy that wants the bases.
std::vector<Target> relieved_bases(const Pool& pool, lvs::loadcalc::TargetSort sort) {
  std::vector<Target> targets;
  for (auto const& member : pool.members) {
    Target target;
    target.weight = member.measures ? member.base : member.current;
    targets.push_back(target);
  }
  lvs::loadcalc::relieve(pool, lvs::loadcalc::learned_capacities(pool, 20, 0.5), {}, sort, targets);
  return targets;
}

TEST_CASE("golden: relief") {
  using lvs::loadcalc::TargetSort;
  check_table("relief.txt",
              [](const Pool& pool) { return relieved_bases(pool, TargetSort::ratios); });
  check_table("relief-literal.txt",
              [](const Pool& pool) { return relieved_bases(pool, TargetSort::weights); });
}

TEST_CASE("golden: linear") {
  check_table("linear.txt",
              [](const Pool& pool) { return lvs::loadcalc::linear_targets(pool, {}); });
}

}  // namespace
