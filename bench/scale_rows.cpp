#include "bench/scale_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace lvs::bench {
namespace {

constexpr int row_number = 1;
constexpr std::size_t many = 10'000;  ///< servers that the bars are about
constexpr std::size_t few = 1'000;    ///< that growth is measured from
constexpr double most_cpu_percent = 6;
constexpr double most_mib = 64;
constexpr double most_growth = 11;

using Number = double (*)(const ScaleRow&);

double cpu_percent(const ScaleRow& row) {
  return 100 * row.cpu_share;
}

struct Figure {
  std::string_view what{}, unit{};
  Number number{};
};

constexpr std::array<Figure, 6> figures{{
    {"CPU", "% of a core", cpu_percent},
    {"CPU per poll", "us", [](const ScaleRow& row) { return row.us_per_poll; }},
    {"RSS", "MiB", [](const ScaleRow& row) { return row.rss_mib; }},
    {"cycle, median", "ms", [](const ScaleRow& row) { return row.cycle_ms.p50; }},
    {"cycle, p99", "ms", [](const ScaleRow& row) { return row.cycle_ms.p99; }},
    {"lateness of a cycle, p99", "ms", [](const ScaleRow& row) { return row.lateness_ms.p99; }},
}};

/// "10000 servers: CPU", and that of each round with this size.
Measured measured(const ScaleRounds& rounds, std::size_t servers, std::string_view what,
                  Number number) {
  Measured one{fmt::format("{} servers: {}", servers, what), {}};
  for (const auto& round : rounds) {
    if (round.servers == servers) one.samples.push_back(number(round));
  }
  return one;
}

/// A bar that is an amount is the reference.
MeasuredRow held_to(Measured measured, std::string unit, double limit) {
  return {row_number,
          std::move(unit),
          std::move(measured),
          {"the bar", {limit}},
          Bar{Bar::Kind::at_most, 1},
          ""};
}

/// Of all rounds together: one late cycle in one of them is one too many.
MeasuredRow cycles_in_time(const ScaleRounds& rounds) {
  MeasuredRow row{row_number,
                  "cycles",
                  {fmt::format("{} servers: cycles in time", many), {}},
                  {"all cycles", {}},
                  Bar{Bar::Kind::at_least, 1},
                  fmt::format("at most {} ms after the deadline, shorter than the interval",
                              late_after.count())};
  double all = 0;
  double late = 0;
  for (const auto& round : rounds) {
    if (round.servers != many) continue;
    all += static_cast<double>(round.cycles);
    late += static_cast<double>(round.late);
  }
  if (all == 0) return row;
  row.measured.samples.push_back(all - late);
  row.reference.samples.push_back(all);
  return row;
}

}  // namespace

std::vector<ScaleRow> rows_by_size(const ScaleRounds& rounds) {
  std::map<std::size_t, ScaleRounds> sizes;
  for (const auto& round : rounds)
    sizes[round.servers].push_back(round);
  std::vector<ScaleRow> rows;
  rows.reserve(sizes.size());
  for (const auto& [servers, of_size] : sizes)
    rows.push_back(merged(of_size));
  return rows;
}

std::vector<MeasuredRow> size_rows(const ScaleRounds& rounds) {
  std::vector<MeasuredRow> all;
  std::size_t before = 0;
  for (const auto& row : rows_by_size(rounds)) {
    for (const auto& [what, unit, number] : figures) {
      auto reference = before == 0 ? Measured{"-", {}} : measured(rounds, before, what, number);
      all.push_back({row_number,
                     std::string(unit),
                     measured(rounds, row.servers, what, number),
                     std::move(reference),
                     {},
                     ""});
    }
    before = row.servers;
  }
  return all;
}

std::vector<MeasuredRow> bar_rows(const ScaleRounds& rounds) {
  const auto of_many = [&](std::string_view what, Number number) {
    return measured(rounds, many, what, number);
  };
  std::vector<MeasuredRow> rows;
  rows.push_back(held_to(of_many("CPU", cpu_percent), "% of a core", most_cpu_percent));
  rows.push_back(
      held_to(of_many("RSS", [](const ScaleRow& row) { return row.rss_mib; }), "MiB", most_mib));
  rows.push_back(
      held_to(of_many("RSS after an hour", [](const ScaleRow& row) { return row.hour_mib; }), "MiB",
              most_mib));
  rows.back().note = "computed: what was measured, and the rest of an hour of history";
  rows.push_back(cycles_in_time(rounds));
  rows.push_back({row_number, "% of a core", of_many("CPU", cpu_percent),
                  measured(rounds, few, "CPU", cpu_percent), Bar{Bar::Kind::at_most, most_growth},
                  ""});
  return rows;
}

}  // namespace lvs::bench
