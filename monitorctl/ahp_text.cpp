#include "monitorctl/ahp_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

constexpr double steps = 1e4;  ///< coefficients are printed with four digits

bool consistent(const loadcalc::Priorities& priorities) {
  return priorities.consistency_ratio < loadcalc::acceptable_consistency_ratio;
}

/// To four digits, still of sum 1: what rounding down leaves goes to those that lost most by it.
std::vector<double> rounded(const std::vector<double>& coefficients) {
  std::vector<double> result;
  std::vector<std::size_t> order;
  double left = steps;
  for (const double coefficient : coefficients) {
    order.push_back(result.size());
    result.push_back(std::floor(coefficient * steps));
    left -= result.back();
  }
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) {
    return coefficients[one] * steps - result[one] > coefficients[other] * steps - result[other];
  });
  const auto extra = std::min(order.size(), static_cast<std::size_t>(std::lround(left)));
  for (std::size_t i = 0; i < extra; ++i)
    result[order[i]] += 1;
  for (auto& coefficient : result)
    coefficient /= steps;
  return result;
}

std::string yaml_line(const std::vector<std::string>& criteria,
                      const std::vector<double>& coefficients) {
  std::string pairs;
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    pairs += fmt::format("{}{}: {:.4f}", pairs.empty() ? "" : ", ", criteria[i], coefficients[i]);
  }
  return "coefficients: {" + pairs + "}\n";
}

}  // namespace

std::string ahp_text(const std::vector<std::string>& criteria,
                     const loadcalc::Priorities& priorities) {
  std::size_t width = std::string_view("criterion").size();
  for (const auto& name : criteria)
    width = std::max(width, name.size());
  const auto coefficients = rounded(priorities.coefficients);
  auto text = fmt::format("{:<{}}  coefficient\n", "criterion", width);
  for (std::size_t i = 0; i < criteria.size(); ++i)
    text += fmt::format("{:<{}}  {:>11.4f}\n", criteria[i], width, coefficients[i]);
  text += fmt::format(
      "\nlambda_max {:.4f}, consistency index {:.4f}, consistency ratio {:.3f}: {}\n\n",
      priorities.lambda_max, priorities.consistency_index, priorities.consistency_ratio,
      consistent(priorities) ? "the judgements agree" : "the judgements contradict each other");
  return text + yaml_line(criteria, coefficients);
}

std::string ahp_json(const std::vector<std::string>& criteria,
                     const loadcalc::Priorities& priorities) {
  json::array list;
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    list.emplace_back(
        json::object{{"name", criteria[i]}, {"coefficient", priorities.coefficients[i]}});
  }
  json::object document{
      {"criteria", std::move(list)},
      {"lambda_max", priorities.lambda_max},
      {"consistency_index", priorities.consistency_index},
      {"consistency_ratio", priorities.consistency_ratio},
      {"consistent", consistent(priorities)},
      {"worst", nullptr},
  };
  if (priorities.worst) {
    document["worst"] = json::object{{"row", criteria[priorities.worst->row]},
                                     {"column", criteria[priorities.worst->column]},
                                     {"given", priorities.worst->given},
                                     {"fitting", priorities.worst->fitting}};
  }
  return json::serialize(document) + "\n";
}

std::string ahp_warning(const std::vector<std::string>& criteria,
                        const loadcalc::Priorities& priorities) {
  if (consistent(priorities)) return {};
  auto text = fmt::format(
      "monitorctl: warning: a consistency ratio of {:.3f} is not below {}: the "
      "judgements contradict each other\n",
      priorities.consistency_ratio, loadcalc::acceptable_consistency_ratio);
  if (!priorities.worst) return text;
  const auto& worst = *priorities.worst;
  return text + fmt::format(
                    "hint: think over {} against {}: {:.3g} is given, {:.3g} would fit the "
                    "others\n",
                    criteria[worst.row], criteria[worst.column], worst.given, worst.fitting);
}

}  // namespace lvs::monitorctl
