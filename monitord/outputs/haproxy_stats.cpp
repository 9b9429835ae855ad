#include "monitord/outputs/haproxy_stats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace lvs::monitord {
namespace {

/// Takes the next line off `rest`, without its end.
std::string_view take_line(std::string_view& rest) {
  auto const end = rest.find('\n');
  auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Takes the next field off `rest`: plain, or in double quotes with doubled ones inside. A quote
/// that is never closed ends with the line.
std::string take_field(std::string_view& rest) {
  if (!rest.starts_with('"')) {
    auto const end = std::min(rest.find(','), rest.size());
    std::string field(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return field;
  }
  std::string field;
  rest.remove_prefix(1);
  while (!rest.empty()) {
    auto const quote = std::min(rest.find('"'), rest.size());
    field.append(rest.substr(0, quote));
    rest.remove_prefix(std::min(quote + 1, rest.size()));
    if (!rest.starts_with('"')) break;
    field += '"';
    rest.remove_prefix(1);
  }
  auto const end = std::min(rest.find(','), rest.size());
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

enum Column : std::size_t { proxy, server, current, sessions, bytes_in, status, weight, count };
constexpr std::array<std::string_view, Column::count> names{"pxname", "svname", "scur",  "stot",
                                                            "bin",    "status", "weight"};

using Places = std::array<std::size_t, Column::count>;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

tl::expected<Places, std::string> places_from_header(std::string_view line) {
  constexpr std::string_view mark = "# ";
  if (!line.starts_with(mark)) {
    return tl::unexpected(std::string("this is no answer to show stat: it has no header"));
  }
  line.remove_prefix(mark.size());
  Places places{};
  places.fill(nowhere);
  for (std::size_t place = 0; !line.empty(); ++place) {
    auto const field = take_field(line);
    auto const* const known = std::ranges::find(names, field);
    if (known != names.end()) places.at(static_cast<std::size_t>(known - names.begin())) = place;
  }
  for (std::size_t column = 0; column < places.size(); ++column) {
    if (places.at(column) == nowhere) {
      return tl::unexpected("the answer to show stat lacks the column " +
                            std::string(names.at(column)));
    }
  }
  return places;
}

using Fields = std::array<std::string, Column::count>;

std::optional<Fields> fields_from_line(std::string_view line, const Places& places) {
  Fields fields{};
  std::size_t found = 0;
  for (std::size_t place = 0; !line.empty(); ++place) {
    auto field = take_field(line);
    auto const column = std::ranges::find(places, place);
    if (column == places.end()) continue;
    fields.at(static_cast<std::size_t>(column - places.begin())) = std::move(field);
    ++found;
  }
  if (found < fields.size()) return std::nullopt;
  return fields;
}

template <typename Number>
std::optional<Number> number_from_string(std::string_view text) {
  Number value{};
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<ServerStats> stats_from_fields(Fields&& fields) {
  auto const now = number_from_string<std::uint32_t>(fields[Column::current]);
  auto const all = number_from_string<std::uint64_t>(fields[Column::sessions]);
  auto const bytes = number_from_string<std::uint64_t>(fields[Column::bytes_in]);
  auto const& name = fields[Column::server];
  if (!now || !all || !bytes || name == "FRONTEND" || name == "BACKEND") return std::nullopt;
  ServerStats stats;
  stats.counters = {*all, *bytes, *now};
  stats.weight = number_from_string<std::uint32_t>(fields[Column::weight]);
  stats.backend = std::move(fields[Column::proxy]);
  stats.server = std::move(fields[Column::server]);
  stats.status = std::move(fields[Column::status]);
  return stats;
}

}  // namespace

tl::expected<std::vector<ServerStats>, std::string> stats_from_csv(std::string_view text) {
  auto const places = places_from_header(take_line(text));
  if (!places) return tl::unexpected(places.error());
  std::vector<ServerStats> all;
  while (!text.empty()) {
    // A line without an end may be half a number.
    if (text.find('\n') == std::string_view::npos) break;
    auto fields = fields_from_line(take_line(text), *places);
    if (!fields) continue;
    if (auto stats = stats_from_fields(*std::move(fields))) all.push_back(*std::move(stats));
  }
  return all;
}

}  // namespace lvs::monitord
