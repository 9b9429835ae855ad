#include "monitord/outputs/output_log.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace lvs::monitord {

std::vector<LogLine> lines_from_question_faults(
    const QuestionCounters& logged, const QuestionCounters& now,
    const std::map<std::string_view, std::string>& last) {
  using Kind = std::pair<std::string_view, std::uint64_t QuestionCounters::*>;
  constexpr std::array<Kind, 3> kinds{{{"unknown", &QuestionCounters::unknown},
                                       {"malformed", &QuestionCounters::malformed},
                                       {"timeout", &QuestionCounters::timeouts}}};
  std::vector<LogLine> lines;
  for (auto const& [kind, counter] : kinds) {
    auto const count = now.*counter - logged.*counter;
    if (count == 0) continue;
    auto const question = last.find(kind);
    lines.push_back({LogLevel::warning,
                     "haproxy_fault",
                     {{"kind", std::string(kind)},
                      {"count", fmt::format("{}", count)},
                      {"last", question == last.end() ? "-" : question->second}}});
  }
  return lines;
}

}  // namespace lvs::monitord
