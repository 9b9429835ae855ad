#include "monitorctl/history_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "monitorctl/json_member.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

struct Column {
  std::string_view name{};
  std::optional<double> HistoryNumbers::*number{};
};

constexpr std::array<Column, 8> columns{{
    {"wall_time", &HistoryNumbers::time},
    {"weight", &HistoryNumbers::weight},
    {"target", &HistoryNumbers::target},
    {"cpu_busy", &HistoryNumbers::cpu_busy},
    {"mem_available", &HistoryNumbers::mem_available},
    {"composite", &HistoryNumbers::composite},
    {"active", &HistoryNumbers::active},
    {"new_connections", &HistoryNumbers::new_connections},
}};

/// Where each of them is in a point.
using Places = std::array<std::optional<std::size_t>, columns.size()>;

Places places_of(const json::array& names) {
  Places places;
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (!names[place].is_string()) continue;
    const std::string_view name(names[place].get_string().data(), names[place].get_string().size());
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found != columns.end()) {
      places[static_cast<std::size_t>(found - columns.begin())] = place;
    }
  }
  return places;
}

HistoryNumbers numbers_of(const json::value& point, const Places& places) {
  HistoryNumbers numbers;
  if (!point.is_array()) return numbers;
  const auto& array = point.get_array();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] && *places[i] < array.size()) {
      numbers.*columns[i].number = number_of(array[*places[i]]);
    }
  }
  return numbers;
}

}  // namespace

std::vector<HistoryNumbers> numbers_from_history(const json::value& document) {
  const auto places = places_of(array_of(document, "columns"));
  std::vector<HistoryNumbers> points;
  for (const auto& point : array_of(document, "points"))
    points.push_back(numbers_of(point, places));
  return points;
}

}  // namespace lvs::monitorctl
