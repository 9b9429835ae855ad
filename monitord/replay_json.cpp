// A replayed cycle as a line of JSON.

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>
#include <iterator>
#include <optional>
#include <string>

#include "monitord/reasons.hpp"
#include "monitord/replay.hpp"

namespace lvs::monitord {
namespace {

std::string number(const std::optional<std::uint32_t>& value) {
  return value ? fmt::to_string(*value) : "null";
}

void append_verdict(std::string& line, const Verdict& verdict) {
  fmt::format_to(
      std::back_inserter(line),
      R"({{"service":"{}","destination":"{}","current":{},"target":{},"write":{},"outcome":"{}",)"
      R"("reason":{}}})",
      ipvs::string_from_service_key(verdict.service),
      ipvs::string_from_destination_key(verdict.destination), verdict.current,
      number(verdict.target), number(verdict.write), string_from_outcome(verdict.outcome),
      boost::json::serialize(boost::json::string(reason_of(verdict))));
}

}  // namespace

std::string json_line_from_replayed(const ReplayedCycle& cycle) {
  auto line = fmt::format(R"({{"t":{},"verdicts":[)", seconds_text(cycle.recorded_at));
  for (const auto& verdict : cycle.verdicts) {
    if (line.back() == '}') line += ',';
    append_verdict(line, verdict);
  }
  line += "]}\n";
  return line;
}

}  // namespace lvs::monitord
