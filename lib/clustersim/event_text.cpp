#include "clustersim/event_text.hpp"

#include <fmt/format.h>

#include <vector>

namespace lvs::clustersim {
namespace {

std::vector<std::string> server_changes(const Event& event) {
  std::vector<std::string> changes;
  if (event.background) changes.push_back(fmt::format("background {:g}", *event.background));
  if (event.speed) changes.push_back(fmt::format("speed {:g}", *event.speed));
  if (event.memory_used) changes.push_back(fmt::format("memory used {:g}", *event.memory_used));
  if (event.agent_answers) changes.emplace_back(*event.agent_answers ? "agent up" : "agent silent");
  if (event.weight) changes.push_back(fmt::format("weight {}", *event.weight));
  if (event.up) changes.emplace_back(*event.up ? "up" : "down");
  return changes;
}

std::vector<std::string> load_changes(const Event& event) {
  std::vector<std::string> changes;
  if (event.load) changes.push_back(fmt::format("load {:g}", *event.load));
  if (event.request_mean_s) {
    constexpr double ms_per_s = 1000;
    changes.push_back(fmt::format("requests of {:g} ms", *event.request_mean_s * ms_per_s));
  }
  return changes;
}

}  // namespace

std::string string_from_event(const Event& event) {
  auto text = fmt::format("{:g} s: ", event.at_s);
  if (event.server) text += fmt::format("server {}: ", *event.server);
  const auto changes = event.server ? server_changes(event) : load_changes(event);
  text += fmt::format("{}", fmt::join(changes, ", "));
  if (event.over_s > 0) text += fmt::format(" over {:g} s", event.over_s);
  return text;
}

}  // namespace lvs::clustersim
