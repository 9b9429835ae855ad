#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "monitorctl/advice_report.hpp"
#include "monitorctl/advice_simulation.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/kernel_failure.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitorctl/progress.hpp"

namespace lvs::monitorctl {
namespace {

using Clock = std::chrono::steady_clock;

/// Often enough to see what is open on average; a table of thousands takes longer to read.
constexpr std::chrono::milliseconds between_looks{500};

struct Look {
  double at_s{};
  KernelView view{};
};

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::uint64_t whole_seconds(Clock::duration duration) {
  return static_cast<std::uint64_t>(seconds(duration));
}

tl::expected<std::vector<Look>, ipvs::Error> watch(const AdviseOptions& options) {
  std::vector<Look> looks;
  const auto begin = Clock::now();
  const auto end = begin + options.watched;
  Progress progress(whole_seconds(options.watched), "s watched", !options.no_progress);
  for (auto next = begin;; next = std::min(end, std::max(next + between_looks, Clock::now()))) {
    std::this_thread::sleep_until(next);
    progress.reached(whole_seconds(next - begin));
    const auto now = Clock::now();
    auto view = read_kernel(options.service);
    if (!view) return tl::make_unexpected(view.error());
    looks.push_back({seconds(now - begin), std::move(*view)});
    if (next >= end) break;
  }
  return looks;
}

/// By service, for those that were there at the end.
std::vector<std::vector<ServiceReading>> readings_of(std::vector<Look> looks) {
  auto services = looks.back().view.services;
  sort_as_ipvsadm(services);
  std::map<ipvs::ServiceKey, std::vector<ServiceReading>> by_key;
  for (auto& look : looks) {
    for (auto& entry : look.view.services) {
      const auto key = entry.service.key;
      by_key[key].push_back({look.at_s, std::move(entry)});
    }
  }
  std::vector<std::vector<ServiceReading>> all;
  all.reserve(services.size());
  for (const auto& entry : services)
    all.push_back(std::move(by_key[entry.service.key]));
  return all;
}

Advice advice_for(const ServiceFacts& facts, const AdviseOptions& options) {
  if (!options.simulation) return advice_without_simulation(facts);
  std::optional<Progress> progress;
  return advice_on(facts, options.jobs, [&](std::size_t finished, std::size_t count) {
    if (!progress) progress.emplace(count, "runs for " + facts.name, !options.no_progress);
    progress->reached(finished);
  });
}

}  // namespace

Printed run(const AdviseOptions& options) {
  auto looks = watch(options);
  if (!looks) return kernel_failed(looks.error(), options.service);
  Printed printed;
  const bool complete = looks->back().view.complete;
  printed.err = looks->back().view.note;
  const auto status = daemon_status(options.socket);
  if (!status) {
    printed.err += "monitorctl: without what monitord learned: " + status.error().message + "\n";
  }
  std::vector<Advice> all;
  for (const auto& readings : readings_of(std::move(*looks)))
    all.push_back(advice_for(facts_from(readings, complete, status ? &*status : nullptr), options));
  if (options.output == OutputFormat::json) {
    printed.out = advice_json(all);
  } else {
    printed.out = all.empty() ? "no services\n" : advice_text(all);
  }
  return printed;
}

}  // namespace lvs::monitorctl
