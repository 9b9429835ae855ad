#include "bench/scale_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <exception>

namespace lvs::bench {
namespace {

namespace json = boost::json;

json::string_view key(std::string_view name) {
  return {name.data(), name.size()};
}

json::object object_from_spread(const Spread& spread) {
  return {{"p50", spread.p50}, {"p99", spread.p99}, {"max", spread.max}};
}

Spread spread_from_object(const json::object& object) {
  return {object.at("p50").to_number<double>(), object.at("p99").to_number<double>(),
          object.at("max").to_number<double>()};
}

}  // namespace

json::object object_from_scale_row(const ScaleRow& row) {
  json::object object{{"servers", row.servers}};
  for (const auto& [name, figure] : scale_figures)
    object[key(name)] = row.*figure;
  for (const auto& [name, spread] : scale_spreads)
    object[key(name)] = object_from_spread(row.*spread);
  for (const auto& [name, count] : scale_counts)
    object[key(name)] = row.*count;
  return object;
}

tl::expected<ScaleRow, std::string> scale_row_from_json(std::string_view text) {
  // Boost.JSON says with exceptions what is missing or of another type.
  try {
    const auto document = json::parse(json::string_view(text.data(), text.size()));
    const auto& object = document.as_object();
    ScaleRow row;
    row.servers = object.at("servers").to_number<std::size_t>();
    for (const auto& [name, figure] : scale_figures)
      row.*figure = object.at(key(name)).to_number<double>();
    for (const auto& [name, spread] : scale_spreads)
      row.*spread = spread_from_object(object.at(key(name)).as_object());
    for (const auto& [name, count] : scale_counts)
      row.*count = object.at(key(name)).to_number<std::uint64_t>();
    return row;
  } catch (const std::exception& error) {
    return tl::make_unexpected(std::string{"no measurement of scale: "} + error.what());
  }
}

}  // namespace lvs::bench
