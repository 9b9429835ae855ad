#include "monitorctl/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "monitorctl/check_pools.hpp"

namespace lvs::monitorctl {
namespace {

/// So many problems are named in the first line.
constexpr std::size_t named_problems = 3;

std::string_view word_of(CheckState state) {
  switch (state) {
    case CheckState::ok:
      return "OK";
    case CheckState::warning:
      return "WARNING";
    case CheckState::critical:
      return "CRITICAL";
    case CheckState::unknown:
      break;
  }
  return "UNKNOWN";
}

/// 0 is the worst.
int place_of(CheckState state) {
  constexpr std::array order{CheckState::critical, CheckState::warning, CheckState::unknown};
  return static_cast<int>(std::ranges::find(order, state) - order.begin());
}

std::string counted(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// A `|` would begin performance data, and a line's end the next line.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '|', '/');
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

/// "tcp 10.9.9.9:80" in a label, which ends at a blank.
std::string label_of(const CheckedPool& pool, std::string_view what) {
  auto name = pool.service;
  std::ranges::replace(name, ' ', ':');
  return fmt::format("{}_{}", name, what);
}

/// U is a value that is not known.
std::string number_text(const std::optional<double>& value, std::string_view unit) {
  return value ? fmt::format("{:.1f}{}", *value, unit) : "U";
}

/// Of what monitord does not know the weights alone are told.
std::string line_about(const CheckedPool& pool) {
  auto text = fmt::format("{}: {} of {} with a weight", pool.service, pool.weighted,
                          counted(pool.destinations, "destination"));
  if (!pool.of_daemon) return text;
  return text +
         fmt::format(", {} silent, mean CPU {}", pool.silent,
                     pool.cpu_percent ? fmt::format("{:.1f} %", *pool.cpu_percent) : "unknown");
}

std::string ranges_text(const AlertRanges& ranges) {
  return string_from_alert_range(ranges.warning) + ";" + string_from_alert_range(ranges.critical);
}

/// A cycle that is missing now and then is no news.
AlertRanges age_ranges(const CheckSights& sights, const CheckLimits& limits) {
  constexpr double least_s = 10;
  constexpr double intervals = 5;
  constexpr double critical_over_warning = 3;
  const double interval_s = sights.daemon ? sights.daemon->interval_s.value_or(0) : 0;
  const double late_s = std::max(least_s, intervals * interval_s);
  return {limits.age_warning.value_or(AlertRange{0, late_s, false}),
          limits.age_critical.value_or(AlertRange{0, critical_over_warning * late_s, false})};
}

class Check {
 public:
  Check(const CheckSights& sights, const CheckLimits& limits)
      : sights_(sights),
        limits_(limits),
        age_ranges_(age_ranges(sights, limits)),
        pools_(checked_pools(sights)) {}

  CheckReport report() && {
    judge_daemon();
    judge_presence();
    for (const auto& pool : pools_)
      judge(pool);
    add_totals();
    for (const auto& pool : pools_)
      add_numbers(pool);
    add_remarks();
    std::ranges::stable_sort(report_.findings, {},
                             [](const CheckFinding& finding) { return place_of(finding.state); });
    if (!report_.findings.empty()) report_.state = report_.findings.front().state;
    report_.summary = summary();
    return std::move(report_);
  }

 private:
  void find(CheckState state, std::string text) {
    report_.findings.push_back({state, std::move(text)});
  }

  /// What of `ranges` the value is beyond, with a sentence about it.
  void judge(double value, const AlertRanges& ranges, std::string text) {
    if (alerts(ranges.critical, value)) return find(CheckState::critical, std::move(text));
    if (alerts(ranges.warning, value)) find(CheckState::warning, std::move(text));
  }

  void judge_daemon() {
    if (!sights_.daemon) {
      const auto& failure = sights_.daemon.error();
      const bool gone = failure.unreachable && !failure.forbidden;
      return find(gone ? CheckState::critical : CheckState::unknown, failure.message);
    }
    const auto& status = *sights_.daemon;
    if (!status.degraded.empty()) {
      find(CheckState::critical, "monitord is degraded: " + status.degraded);
    }
    if (!status.wall_time) {
      return find(CheckState::unknown, "monitord does not say when its last cycle was");
    }
    age_ = std::max(0.0, sights_.now - *status.wall_time);
    judge(*age_, age_ranges_, fmt::format("the last cycle ended {:.1f} s ago", *age_));
  }

  /// Whether there is anything to judge.
  void judge_presence() {
    const bool known = sights_.table || (sights_.daemon && sights_.daemon->degraded.empty());
    if (!known || !pools_.empty()) return;
    if (!sights_.service) {
      report_.details.emplace_back("the IPVS table is empty");
      return;
    }
    find(CheckState::critical,
         fmt::format("there is no service {}", ipvs::string_from_service_key(*sights_.service)));
  }

  void judge(const CheckedPool& pool) {
    const auto& name = pool.service;
    if (pool.weighted == 0) {
      find(CheckState::critical, pool.destinations == 0
                                     ? fmt::format("{}: no destination", name)
                                     : fmt::format("{}: none of {} has a weight above 0", name,
                                                   counted(pool.destinations, "destination")));
    }
    if (pool.frozen > 0) {
      find(CheckState::critical,
           fmt::format("{}: frozen, too many agents are silent to steer it", name));
    }
    if (pool.counters_frozen > 0) {
      find(CheckState::warning,
           fmt::format("{}: the kernel does not count (net.ipv4.vs.run_estimation is 0)", name));
    }
    if (const auto share = pool.silent_percent()) {
      judge(*share, limits_.silent,
            fmt::format("{}: {} of {} silent", name, pool.silent,
                        counted(pool.steered, "destination")));
    }
    if (pool.cpu_percent) {
      judge(*pool.cpu_percent, limits_.cpu,
            fmt::format("{}: mean CPU {:.1f} %", name, *pool.cpu_percent));
    }
    for (const auto& destination : pool.foreign) {
      find(CheckState::warning,
           fmt::format("{}: somebody else set the weight of {}", name, destination));
    }
  }

  void add_totals() {
    auto& numbers = report_.numbers;
    numbers.push_back(
        fmt::format("age={};{};0;", number_text(age_, "s"), ranges_text(age_ranges_)));
    const bool seen = sights_.table || sights_.daemon;
    const auto total = [&](std::string_view label, std::size_t count) {
      numbers.push_back(fmt::format("{}={};;;0;", label, seen ? fmt::format("{}", count) : "U"));
    };
    total("services", pools_.size());
    total("destinations", sum(&CheckedPool::destinations));
    total("weighted", sum(&CheckedPool::weighted));
    if (!sights_.daemon) return;
    numbers.push_back(fmt::format("foreign_edits={}c", sights_.daemon->foreign_edits));
    numbers.push_back(fmt::format("failed_writes={}c", sights_.daemon->failed_writes));
  }

  void add_numbers(const CheckedPool& pool) {
    auto& numbers = report_.numbers;
    numbers.push_back(fmt::format("{}={};;1:;0;{}", label_of(pool, "weighted"), pool.weighted,
                                  pool.destinations));
    numbers.push_back(fmt::format("{}={};{};0;100", label_of(pool, "silent"),
                                  number_text(pool.silent_percent(), "%"),
                                  ranges_text(limits_.silent)));
    numbers.push_back(fmt::format("{}={};{};0;100", label_of(pool, "cpu"),
                                  number_text(pool.cpu_percent, "%"), ranges_text(limits_.cpu)));
    report_.details.push_back(line_about(pool));
  }

  void add_remarks() {
    if (!sights_.daemon) return;
    for (const auto& order : sights_.daemon->orders)
      report_.details.push_back("order: " + order);
    for (const auto& note : sights_.daemon->notes)
      report_.details.push_back("note: " + note);
  }

  [[nodiscard]] std::size_t sum(std::size_t CheckedPool::*member) const {
    return std::accumulate(
        pools_.begin(), pools_.end(), std::size_t{},
        [member](std::size_t all, const CheckedPool& pool) { return all + pool.*member; });
  }

  [[nodiscard]] std::string problems() const {
    std::string text;
    std::size_t named = 0;
    for (const auto& finding : report_.findings) {
      if (named == named_problems) {
        return text + fmt::format("; {} more", report_.findings.size() - named);
      }
      text += (named++ == 0 ? "" : "; ") + finding.text;
    }
    return text;
  }

  [[nodiscard]] std::string all_well() const {
    auto text = fmt::format("{}, {} of {} with a weight", counted(pools_.size(), "service"),
                            sum(&CheckedPool::weighted),
                            counted(sum(&CheckedPool::destinations), "destination"));
    return age_ ? text + fmt::format(", last cycle {:.1f} s ago", *age_) : text;
  }

  /// What is no problem, but has to be known by whoever wonders why nothing moves.
  [[nodiscard]] std::string summary() const {
    auto text = report_.findings.empty() ? all_well() : problems();
    if (sights_.daemon && sights_.daemon->dry_run) text += ", dry run";
    if (sum(&CheckedPool::paused) > 0) text += ", paused";
    if (sum(&CheckedPool::standby) > 0) text += ", standby";
    return text;
  }

  const CheckSights& sights_;
  const CheckLimits& limits_;
  AlertRanges age_ranges_;
  std::vector<CheckedPool> pools_;
  std::optional<double> age_{};
  CheckReport report_{};
};

}  // namespace

CheckReport check_report(const CheckSights& sights, const CheckLimits& limits) {
  return Check(sights, limits).report();
}

Printed printed_check(const CheckReport& report) {
  auto text = fmt::format("MONITORD {} - {} |", word_of(report.state), on_one_line(report.summary));
  for (const auto& number : report.numbers)
    text += " " + number;
  text += "\n";
  for (const auto& finding : report.findings)
    text += fmt::format("{}: {}\n", word_of(finding.state), on_one_line(finding.text));
  for (const auto& detail : report.details)
    text += on_one_line(detail) + "\n";
  return {text, "", static_cast<int>(report.state)};
}

Printed check_impossible(std::string_view why) {
  return {fmt::format("MONITORD UNKNOWN - {}\n", on_one_line(std::string(why))), "",
          static_cast<int>(CheckState::unknown)};
}

}  // namespace lvs::monitorctl
