// The verdict table for people: wide enough for one line per destination, unknown shown as "-".

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/reasons.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t columns = 14;
using Row = std::array<std::string, columns>;

constexpr std::array<std::string_view, columns> headings{
    "Destination", "Server", "Weight", "Base", "Target", "Write",    "C",
    "M",           "F",      "INPUT",  "Age",  "Active", "InActive", "Verdict"};

std::string share(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string weight(const std::optional<std::uint32_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

Row row_from_verdict(const Verdict& verdict) {
  return {ipvs::string_from_destination_key(verdict.destination),
          verdict.server.empty() ? "-" : verdict.server,
          fmt::format("{}", verdict.current),
          verdict.base == 0 ? "-" : fmt::format("{}", verdict.base),
          weight(verdict.target),
          weight(verdict.write),
          share(verdict.cpu_busy),
          share(verdict.mem_available),
          share(verdict.composite),
          fmt::format("{:.2f}", verdict.input),
          verdict.age_s ? fmt::format("{:.1f}s", *verdict.age_s) : "-",
          fmt::format("{}", verdict.active),
          fmt::format("{}", verdict.inactive),
          fmt::format("{}: {}", string_from_outcome(verdict.outcome), reason_of(verdict))};
}

std::array<std::size_t, columns> widths_of(const std::vector<Row>& rows) {
  std::array<std::size_t, columns> widths{};
  for (std::size_t c = 0; c < columns; ++c)
    widths.at(c) = headings.at(c).size();
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      widths.at(c) = std::max(widths.at(c), row.at(c).size());
    }
  }
  return widths;
}

/// Names to the left, numbers to the right, and nothing after the last column.
template <typename Cells>
void append_row(std::string& out, const Cells& cells,
                const std::array<std::size_t, columns>& widths) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "  -> {:<{}}  {:<{}}", cells[0], widths[0], cells[1], widths[1]);
  for (std::size_t c = 2; c + 1 < columns; ++c) {
    fmt::format_to(to, "  {:>{}}", cells[c], widths.at(c));
  }
  fmt::format_to(to, "  {}\n", cells[columns - 1]);
}

}  // namespace

std::string table_from_report(const CycleReport& report) {
  std::string out = fmt::format("monitord {}{}\n", report.version,
                                report.dry_run ? ", dry run: nothing is written" : "");
  for (const auto& note : report.notes)
    out += fmt::format("note: {}\n", note);
  if (!report.degraded.empty()) return out + fmt::format("no table: {}\n", report.degraded);
  if (report.verdicts.empty()) return out + "the IPVS table is empty\n";

  std::vector<Row> rows;
  rows.reserve(report.verdicts.size());
  for (const auto& verdict : report.verdicts)
    rows.push_back(row_from_verdict(verdict));
  const auto widths = widths_of(rows);

  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& verdict = report.verdicts[i];
    if (i == 0 || report.verdicts[i - 1].service != verdict.service) {
      out +=
          fmt::format("{} {}\n", ipvs::string_from_service_key(verdict.service), verdict.scheduler);
      append_row(out, headings, widths);
    }
    append_row(out, rows[i], widths);
  }
  return out;
}

}  // namespace lvs::monitord
