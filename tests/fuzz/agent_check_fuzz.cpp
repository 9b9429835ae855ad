// Any bytes as HAProxy's question for a weight: one line comes back, which HAProxy takes for a
// percentage or for a word that changes nothing.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "monitord/outputs/haproxy_answers.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;
using lvs::fuzz::require_printable;

namespace {

bool is_word(std::string_view answer) {
  return answer.starts_with("monitord-") && answer.find_first_of(" \t,%#") == answer.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view question{reinterpret_cast<const char*>(data), size};
  HaproxyAnswers answers;
  const auto pool = lvs::ipvs::service_key_from_string("pool:web");
  const auto server = lvs::ipvs::destination_key_from_string("10.0.0.11:80");
  answers.declare({{pool.value(), "be", {{server.value(), "s1", 100, 37}}}}, true, {});
  const auto answer = answers.answer(question, std::chrono::seconds{1});
  require(answer.find('\n') == answer.size() - 1);
  require(answer.size() <= longest_question + 64);
  require_printable(answer);
  const auto parsed = question_from_line(question);
  const bool known = parsed && *parsed == AgentQuestion{"be", "s1"};
  require(known ? answer == "up 37%\n" : is_word(answer));
  const auto& counters = answers.counters();
  require(counters.answered + counters.unknown + counters.malformed == 1);
  for (const auto& [kind, last] : answers.take_faults())
    require_printable(last);
  return 0;
}
