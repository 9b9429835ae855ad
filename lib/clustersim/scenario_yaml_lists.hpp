#pragma once

// The lists of a scenario file.

#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "strictyaml/document.hpp"

namespace lvs::clustersim {

/// Every entry `count` times. An empty list is a problem.
std::vector<Server> servers_from_node(const strictyaml::Node& node);

void set_seeds(const strictyaml::Node& node, std::vector<std::uint64_t>& seeds);
void set_strategies(const strictyaml::Node& node, std::vector<std::string>& strategies);
std::vector<RequestClass> classes_from_node(const strictyaml::Node& node);

/// Ordered by time; `scenario` has its servers and its duration already.
std::vector<Event> events_from_node(const strictyaml::Node& node, const Scenario& scenario);

}  // namespace lvs::clustersim
