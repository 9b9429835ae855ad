#include "monitord/decision.hpp"

namespace lvs::monitord {

std::string_view string_from_outcome(Outcome outcome) {
  switch (outcome) {
    case Outcome::change:
      return "change";
    case Outcome::unchanged:
      return "unchanged";
    case Outcome::within_boundary:
      return "within_boundary";
    case Outcome::waiting:
      return "waiting";
    case Outcome::drained:
      return "drained";
    case Outcome::no_reading:
      return "no_reading";
    case Outcome::silent_hold:
      return "silent_hold";
    case Outcome::silent_base:
      return "silent_base";
    case Outcome::saturated_cut:
      return "saturated_cut";
    case Outcome::unknown_reading:
      return "unknown_reading";
    case Outcome::frozen:
      return "frozen";
    case Outcome::foreign:
      return "foreign";
    case Outcome::counters_frozen:
      return "counters_frozen";
    case Outcome::alone:
      return "alone";
    case Outcome::unmanaged:
      return "unmanaged";
    case Outcome::weights_ignored:
      return "weights_ignored";
    case Outcome::standby:
      return "standby";
    case Outcome::reasserted:
      return "reasserted";
    case Outcome::paused:
      return "paused";
    case Outcome::restoring:
      return "restoring";
    case Outcome::pinned:
      return "pinned";
    case Outcome::hand_drain:
      return "hand_drain";
    case Outcome::silent_drain:
      return "silent_drain";
    case Outcome::agent_drain:
      return "agent_drain";
    case Outcome::undrain:
      return "undrain";
  }
  return "unknown";
}

std::string_view string_from_zero_cause(ZeroCause cause) {
  switch (cause) {
    case ZeroCause::hand:
      return "hand";
    case ZeroCause::silence:
      return "silence";
    case ZeroCause::agent:
      return "agent";
  }
  return "unknown";
}

std::string_view string_from_reading_state(ReadingState state) {
  switch (state) {
    case ReadingState::fresh:
      return "fresh";
    case ReadingState::stale:
      return "stale";
    case ReadingState::silent:
      return "silent";
    case ReadingState::none:
      return "none";
  }
  return "unknown";
}

std::string_view string_from_result(Applied::Result result) {
  switch (result) {
    case Applied::Result::written:
      return "written";
    case Applied::Result::dry_run:
      return "dry_run";
    case Applied::Result::changed_meanwhile:
      return "changed_meanwhile";
    case Applied::Result::gone:
      return "gone";
    case Applied::Result::failed:
      return "failed";
    case Applied::Result::overwritten:
      return "overwritten";
    case Applied::Result::unrecorded:
      return "unrecorded";
  }
  return "unknown";
}

}  // namespace lvs::monitord
