#pragma once

// Single values of a scenario file. Each function changes its target only when the node is there
// and fits; what does not fit is a problem of the document.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "strictyaml/document.hpp"

namespace lvs::clustersim {

inline constexpr double longest_s = 7 * 86400.0;
inline constexpr std::size_t most_servers = 2000;

/// A duration; 0s is one.
void set_seconds(const strictyaml::Node& node, double& seconds);
/// A duration above 0s.
void set_positive_seconds(const strictyaml::Node& node, double& seconds);
void set_number(const strictyaml::Node& node, double min, double max, double& target);
/// A number from 0 to 1.
void set_share(const strictyaml::Node& node, double& target);
/// A number above 0.
void set_positive_number(const strictyaml::Node& node, double max, double& target);
void set_count(const strictyaml::Node& node, unsigned max, unsigned& target);
/// "300/s", "20/m" or "100/h"; per second.
std::optional<double> rate_from_node(const strictyaml::Node& node);
/// The whole pool's load, as a share of its capacity.
std::optional<double> load_from_node(const strictyaml::Node& node);

void set_request(const strictyaml::Node& node, RequestCost& request);
void set_scheduler(const strictyaml::Node& node, std::string& scheduler);

/// One of `count` servers, counted from 0. `count` 0: the list is broken, any index will do.
std::optional<std::size_t> server_index_from_node(const strictyaml::Node& node, std::size_t count);

}  // namespace lvs::clustersim
