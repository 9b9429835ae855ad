#include "clustersim/scenario_yaml_fields.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "clustersim/names.hpp"
#include "strictyaml/number.hpp"

namespace lvs::clustersim {

using strictyaml::Node;

namespace {

constexpr double ns_per_s = 1e9;

std::optional<double> seconds_from_node(const Node& node) {
  const auto ns = node.as_duration_ns(0, static_cast<std::int64_t>(longest_s * ns_per_s));
  if (!ns) return std::nullopt;
  return static_cast<double>(*ns) / ns_per_s;
}

/// Seconds of the unit behind the slash; 0 when it is none.
double unit_seconds(std::string_view unit) {
  if (unit == "s") return 1;
  if (unit == "m") return 60;
  if (unit == "h") return 3600;
  return 0;
}

std::optional<double> above_zero(const Node& node, double value) {
  if (value > 0) return value;
  node.refuse_value("has to be above 0");
  return std::nullopt;
}

}  // namespace

void set_seconds(const Node& node, double& seconds) {
  seconds = seconds_from_node(node).value_or(seconds);
}

void set_positive_seconds(const Node& node, double& seconds) {
  const auto value = seconds_from_node(node);
  if (value) seconds = above_zero(node, *value).value_or(seconds);
}

void set_number(const Node& node, double min, double max, double& target) {
  target = node.as_number(min, max).value_or(target);
}

void set_share(const Node& node, double& target) {
  set_number(node, 0, 1, target);
}

void set_positive_number(const Node& node, double max, double& target) {
  const auto value = node.as_number(0, max);
  if (value) target = above_zero(node, *value).value_or(target);
}

void set_count(const Node& node, unsigned max, unsigned& target) {
  const auto count = node.as_integer(1, max);
  if (count) target = static_cast<unsigned>(*count);
}

std::optional<double> rate_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const std::string_view whole{*text};
  const std::size_t slash = whole.find('/');
  const auto number = strictyaml::number_from_string<double>(whole.substr(0, slash));
  const double unit = slash == std::string_view::npos ? 0 : unit_seconds(whole.substr(slash + 1));
  if (!number || !std::isfinite(*number) || unit <= 0) {
    node.refuse_value("is no rate", "a rate is a number and a unit of time: 300/s, 20/m, 100/h");
    return std::nullopt;
  }
  constexpr double most_per_s = 1e6;
  const double rate = *number / unit;
  if (rate > most_per_s) {
    node.refuse_value("is out of range", "it has to be at most 1000000/s");
    return std::nullopt;
  }
  return above_zero(node, rate);
}

std::optional<double> load_from_node(const Node& node) {
  constexpr double largest_load = 10;
  const auto load = node.as_number(0, largest_load);
  if (!load) return std::nullopt;
  return above_zero(node, *load);
}

void set_request(const Node& node, RequestCost& request) {
  if (!node.exists()) return;
  set_positive_seconds(node["mean"], request.mean_s);
  using enum Distribution;
  constexpr std::array distributions{exponential, lognormal, fixed};
  const auto index = node["distribution"].as_one_of({"exponential", "lognormal", "fixed"});
  if (index) request.distribution = distributions.at(*index);
  const Node sigma = node["sigma"];
  constexpr double largest_sigma = 4;  // e^8 between the median and the mean
  set_positive_number(sigma, largest_sigma, request.sigma);
  if (sigma.exists() && request.distribution != lognormal) {
    sigma.error(sigma.path() + " belongs to the lognormal distribution only",
                "add distribution: lognormal, or remove sigma");
  }
  node.reject_unknown_keys();
}

void set_scheduler(const Node& node, std::string& scheduler) {
  if (const auto index = node.as_one_of(scheduler_names())) scheduler = scheduler_names()[*index];
}

std::optional<std::size_t> server_index_from_node(const Node& node, std::size_t count) {
  const std::int64_t servers = static_cast<std::int64_t>(count == 0 ? most_servers : count);
  const auto index = node.as_integer(0, servers - 1);
  if (!index) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

}  // namespace lvs::clustersim
