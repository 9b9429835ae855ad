#include "bench/bars_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>

namespace lvs::bench {
namespace {

std::string value_text(const Check& check) {
  return check.value ? fmt::format("{:.3f}", *check.value) : "not run";
}

std::string limit_text(const Check& check) {
  return fmt::format("{} {:g}", check.below ? "<" : "<=", check.limit);
}

/// How far over its limit; what was not run is worst.
double excess(const Check& check) {
  constexpr double not_run = 1e300;
  return check.value ? *check.value / check.limit : not_run;
}

std::size_t reached(const std::vector<Check>& checks) {
  return static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), is_reached));
}

std::string bar_line(const std::vector<Check>& checks) {
  const auto worst = std::max_element(
      checks.begin(), checks.end(),
      [](const Check& one, const Check& other) { return excess(one) < excess(other); });
  const std::size_t good = reached(checks);
  return fmt::format("{:<4}  {:<42} {:<8} {:>3} of {:<3}  worst {} ({}, {})\n",
                     good == checks.size() ? "PASS" : "miss", worst->bar, limit_text(*worst), good,
                     checks.size(), value_text(*worst), worst->scenario, worst->scheduler);
}

std::string miss_line(const Check& check) {
  const auto oracle = check.oracle ? fmt::format(" (an oracle reaches {:.3f})", *check.oracle) : "";
  return fmt::format("miss  {:<42} {:<8} {:>9}  {}, {}{}\n", check.bar, limit_text(check),
                     value_text(check), check.scenario, check.scheduler, oracle);
}

std::string_view verdict(const Check& check) {
  if (!check.value) return "not_run";
  return is_reached(check) ? "reached" : "missed";
}

}  // namespace

std::string bars_text(const std::vector<Check>& checks) {
  std::string lines;
  std::string misses;
  for (auto begin = checks.begin(); begin != checks.end();) {
    const auto end = std::find_if(begin, checks.end(),
                                  [&](const Check& check) { return check.bar != begin->bar; });
    lines += bar_line({begin, end});
    begin = end;
  }
  for (const Check& check : checks) {
    if (!is_reached(check)) misses += miss_line(check);
  }
  if (!misses.empty()) misses = "\n" + misses;
  return lines + misses + fmt::format("\n{} of {} bars reached\n", reached(checks), checks.size());
}

std::string bars_json(const std::vector<Check>& checks) {
  boost::json::array bars;
  for (const Check& check : checks) {
    bars.emplace_back(boost::json::object{
        {"bar", check.bar},
        {"scenario", check.scenario},
        {"scheduler", check.scheduler},
        {"value", check.value ? boost::json::value(*check.value) : boost::json::value(nullptr)},
        {"limit", check.limit},
        {"oracle", check.oracle ? boost::json::value(*check.oracle) : boost::json::value(nullptr)},
        {"verdict", verdict(check)}});
  }
  const boost::json::object document{{"reached", static_cast<std::uint64_t>(reached(checks))},
                                     {"checked", static_cast<std::uint64_t>(checks.size())},
                                     {"bars", std::move(bars)}};
  return boost::json::serialize(document) + "\n";
}

}  // namespace lvs::bench
