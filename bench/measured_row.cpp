#include "bench/measured_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lvs::bench {
namespace {

std::string_view name_of(Bar::Kind kind) {
  return kind == Bar::Kind::at_most ? "at_most" : "at_least";
}

boost::json::array array_from(const std::vector<double>& samples) {
  boost::json::array array;
  for (const double sample : samples)
    array.emplace_back(sample);
  return array;
}

template <typename Value>
boost::json::value value_or_null(const std::optional<Value>& value) {
  return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

boost::json::object object_from(const MeasuredRow& row) {
  boost::json::value bar = nullptr;
  if (row.bar) bar = boost::json::object{{name_of(row.bar->kind), row.bar->limit}};
  return {{"row", row.number},
          {"what", row.measured.name},
          {"unit", row.unit},
          {"measured", median_of(row.measured.samples)},
          {"measured_samples", array_from(row.measured.samples)},
          {"reference_name", row.reference.name},
          {"reference", median_of(row.reference.samples)},
          {"reference_samples", array_from(row.reference.samples)},
          {"ratio", value_or_null(ratio_of(row))},
          {"bar", std::move(bar)},
          {"met", value_or_null(is_met(row))},
          {"note", row.note}};
}

std::string bar_text(const MeasuredRow& row) {
  if (!row.bar) return "";
  const auto met = is_met(row);
  return fmt::format("  bar {} {:g}: {}",
                     row.bar->kind == Bar::Kind::at_most ? "<=" : ">=", row.bar->limit,
                     !met ? "not measured" : (*met ? "met" : "missed"));
}

std::string line_of(const MeasuredRow& row) {
  const auto ratio = ratio_of(row);
  return fmt::format("{}  {}: {:.3f} {}, {}: {:.3f} {}, ratio {}{}{}\n", row.number,
                     row.measured.name, median_of(row.measured.samples), row.unit,
                     row.reference.name, median_of(row.reference.samples), row.unit,
                     ratio ? fmt::format("{:.4f}", *ratio) : "-", bar_text(row),
                     row.note.empty() ? "" : "  (" + row.note + ")");
}

}  // namespace

double median_of(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  const std::size_t upper = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[upper] : (samples[upper - 1] + samples[upper]) / 2;
}

std::optional<double> ratio_of(const MeasuredRow& row) {
  const double reference = median_of(row.reference.samples);
  if (row.measured.samples.empty() || reference == 0) return std::nullopt;
  return median_of(row.measured.samples) / reference;
}

std::optional<bool> is_met(const MeasuredRow& row) {
  const auto ratio = ratio_of(row);
  if (!row.bar || !ratio) return std::nullopt;
  return row.bar->kind == Bar::Kind::at_most ? *ratio <= row.bar->limit : *ratio >= row.bar->limit;
}

std::string rows_json(std::span<const MeasuredRow> rows) {
  boost::json::array array;
  for (const auto& row : rows)
    array.emplace_back(object_from(row));
  const boost::json::object document{{"rows", std::move(array)}};
  return boost::json::serialize(document) + "\n";
}

std::string rows_text(std::span<const MeasuredRow> rows) {
  std::string text;
  for (const auto& row : rows)
    text += line_of(row);
  return text;
}

}  // namespace lvs::bench
