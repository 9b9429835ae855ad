#include "bench/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <utility>

namespace lvs::bench {
namespace {

namespace json = boost::json;
using clustersim::Event;
using clustersim::PlotGroup;
using clustersim::RunResult;
using clustersim::Scenario;
using clustersim::SeriesPoint;

constexpr double requests_per_speed = 100;  ///< of 10 ms, that a core of speed 1 serves in a second

double number_at(const json::object& object, std::string_view key) {
  return object.at(key).to_number<double>();
}

std::string text_at(const json::object& object, std::string_view key) {
  return std::string{object.at(key).as_string()};
}

std::vector<Event> events_from(const json::object& result) {
  std::vector<Event> events;
  if (!result.contains("limits")) return events;
  const auto& percents = result.at("percents").as_array();
  const auto& speeds = result.at("speeds").as_array();
  for (const auto& value : result.at("limits").as_array()) {
    const auto& limit = value.as_object();
    const auto server = limit.at("server").to_number<std::size_t>() - 1;
    Event event;
    event.at_s = number_at(limit, "at");
    event.server = server;
    event.speed = speeds.at(server).to_number<double>() / requests_per_speed *
                  number_at(limit, "percent") / percents.at(server).to_number<double>();
    events.push_back(event);
  }
  std::ranges::stable_sort(events, {}, &Event::at_s);
  return events;
}

Scenario scenario_from(const json::object& result) {
  Scenario scenario;
  scenario.name =
      fmt::format("{}, {:g} % load", text_at(result, "group"), number_at(result, "load"));
  scenario.scheduler = text_at(result, "scheduler");
  scenario.duration_s = number_at(result, "seconds");
  for (const auto& speed : result.at("speeds").as_array()) {
    auto& server = scenario.servers.emplace_back();
    server.speed = speed.to_number<double>() / requests_per_speed;
  }
  scenario.events = events_from(result);
  return scenario;
}

/// Throws std::out_of_range when there are not as many weights as servers.
SeriesPoint point_from(const json::object& step, std::size_t servers) {
  SeriesPoint point;
  point.at_s = number_at(step, "at");
  point.mean_ms = number_at(step, "mean_ms");
  const auto& weights = step.at("weights").as_array();
  for (std::size_t i = 0; i < servers; ++i)
    point.weights.push_back(weights.at(i).to_number<std::uint32_t>());
  return point;
}

RunResult run_from(const json::object& result, std::size_t servers) {
  RunResult run;
  run.scheduler = text_at(result, "scheduler");
  run.strategy = text_at(result, "name");
  run.mean_ms = number_at(result, "mean_ms");
  run.p99_ms = number_at(result, "p99_ms");
  run.failed = result.at("failed").to_number<std::uint64_t>();
  const auto minutes = (number_at(result, "seconds") - number_at(result, "from")) / 60;
  run.writes_per_server_minute =
      number_at(result, "writes") / static_cast<double>(servers) / minutes;
  for (const auto& step : result.at("series").as_array())
    run.series.push_back(point_from(step.as_object(), servers));
  return run;
}

void add_result(std::vector<PlotGroup>& groups, const json::object& result) {
  auto scenario = scenario_from(result);
  auto run = run_from(result, scenario.servers.size());
  auto group = std::ranges::find_if(
      groups, [&](const PlotGroup& each) { return each.scenario.scheduler == scenario.scheduler; });
  if (group == groups.end()) {
    groups.push_back({std::move(scenario), {}});
    group = std::prev(groups.end());
  }
  group->runs.push_back(std::move(run));
}

}  // namespace

tl::expected<std::vector<PlotGroup>, std::string> plot_groups_from_results(std::string_view lines) {
  // Boost.JSON says with exceptions what is missing or of another type.
  try {
    std::vector<PlotGroup> groups;
    while (!lines.empty()) {
      const auto end = std::min(lines.find('\n'), lines.size());
      const auto line = lines.substr(0, end);
      if (!line.empty()) add_result(groups, json::parse(line).as_object());
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return groups;
  } catch (const std::exception& error) {
    return tl::make_unexpected(std::string{"no results of lab/measure: "} + error.what());
  }
}

}  // namespace lvs::bench
