// Any bytes as the lines of a recording: cycles or a problem, never a crash, and no control
// character on the way to a terminal. What is a cycle survives being written and read again, and is
// decided.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "monitord/recording_reader.hpp"
#include "monitord/replay.hpp"
#include "monitord/replay_summary.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;
using lvs::fuzz::require_printable;

namespace {

/// Times are not exact to the nanosecond where they are large: two rounds have to agree.
void check_round_trip(const RecordedCycle& cycle) {
  const auto once = cycle_from_line(line_from_cycle(cycle));
  require(once.has_value() && once->unknown_keys.empty());
  require(once->cycle.seen.table == cycle.seen.table);
  require(once->cycle.written == cycle.written && once->cycle.bases == cycle.bases);
  require(once->cycle.seen.readings.size() == cycle.seen.readings.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  RecordingReader reader;
  reader.begin_file("fuzz.jsonl");
  Replay replay{Config{}};
  ReplaySummary summary;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto cycle = reader.cycle(text.substr(0, end), end != std::string_view::npos);
    require_printable(reader.take_warnings());
    if (!cycle) {
      require_printable(cycle.error());
      break;
    }
    if (*cycle) {
      check_round_trip(**cycle);
      const auto replayed = replay.step(**cycle);
      require(json_line_from_replayed(replayed).back() == '\n');
      summary.add(**cycle, replayed);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  require(!summary.text(Config{}.interval).empty());
  return 0;
}
