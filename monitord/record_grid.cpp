#include "monitord/record_grid.hpp"

#include <cmath>
#include <optional>

#include "loadcalc/further_measures.hpp"

namespace lvs::monitord {

namespace {

constexpr double steps_per_unit = 1e9;
constexpr double largest_on_grid = 1e6;

void put_on_grid(std::optional<double>& measure) {
  if (measure) measure = on_record_grid(*measure);
}

}  // namespace

double on_record_grid(double measure) {
  if (!(std::abs(measure) < largest_on_grid)) return measure;
  return std::round(measure * steps_per_unit) / steps_per_unit;
}

void put_on_record_grid(Readings& readings) {
  for (auto& [address, reading] : readings) {
    put_on_grid(reading.cpu_busy);
    put_on_grid(reading.mem_available);
    for (auto const& measure : loadcalc::agent_measures)
      put_on_grid(reading.further.*measure.value);
  }
}

void put_on_record_grid(ResponseTimes& responses) {
  for (auto& [key, response] : responses)
    response = on_record_grid(response);
}

}  // namespace lvs::monitord
