#include "monitord/reasons.hpp"

#include <fmt/format.h>

#include "monitord/strategies.hpp"

namespace lvs::monitord {
namespace {

std::string fraction(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "unknown";
}

std::string measures(const Verdict& v) {
  return fmt::format("C {} M {} F {} INPUT {:.2f}", fraction(v.cpu_busy), fraction(v.mem_available),
                     fraction(v.composite), v.input);
}

std::string age(const Verdict& v) {
  return v.age_s ? fmt::format("last reading {:.1f} s ago", *v.age_s) : "never heard of its agent";
}

/// "AGG 0.62 = 0.10 INPUT 1.00 + 0.30 CPU 0.43 + …"
std::string score(const Verdict& v) {
  if (!v.score) return {};
  std::string sum;
  for (auto const& term : v.terms) {
    sum += fmt::format("{}{:.2f} {} {:.2f}", sum.empty() ? "" : " + ", term.coefficient, term.name,
                       term.value);
  }
  return fmt::format(", {} {:.2f} = {}", strategy_of(v.strategy).score, *v.score, sum);
}

/// What led to the target: readings, the strategy's own numbers, its remarks.
std::string findings(const Verdict& v) {
  auto text = measures(v) + score(v);
  if (v.capacity > 0) {
    text += fmt::format(", learned capacity {:.1f}, correction {:.2f}", v.capacity, v.correction);
  }
  if (!v.note.empty()) text += "; " + v.note;
  if (!v.pool_note.empty()) text += "; " + v.pool_note;
  return text;
}

/// Why a 0 of monitord's own is there, is set, or cannot be set.
std::string drain(const Verdict& v, std::string_view why, std::string_view end) {
  if (v.current == 0) return fmt::format("{}: kept at 0, {}", why, end);
  if (v.write) return fmt::format("{}: set to 0, {}", why, end);
  return fmt::format("{}, but it is the last one with a weight: not set to 0", why);
}

std::string foreign(const Verdict& v) {
  if (!v.target) {
    return fmt::format("somebody else set the weight to {}: adopted, steered again next cycle",
                       v.current);
  }
  return fmt::format("somebody else set the weight to {}; {} is put back at most once a minute",
                     v.current, *v.target);
}

std::string agent_drain(const Verdict& v) {
  constexpr auto why = "its agent asks to be drained";
  if (v.current > 0 && !v.write) {
    return fmt::format("{}, but half of the pool is at 0 or it is the last one: not set to 0", why);
  }
  return drain(v, why, "until it says that it is ready");
}

std::string undrain(const Verdict& v) {
  return fmt::format("the reason for monitord's own 0 is gone: back with {} (base {})",
                     v.write.value_or(v.current), v.base);
}

std::string change(const Verdict& v) {
  return fmt::format("{}: target {} differs from {} by more than {:.1f}", findings(v),
                     v.target.value_or(0), v.current, v.boundary);
}

}  // namespace

std::string reason_of(const Verdict& v) {
  if (!v.reason.empty()) return v.reason;
  switch (v.outcome) {
    case Outcome::change:
      return change(v);
    case Outcome::unchanged:
      return findings(v) + ": the weight is right";
    case Outcome::within_boundary:
      return fmt::format("{}: target {} is within {:.1f} of {}", findings(v), v.target.value_or(0),
                         v.boundary, v.current);
    case Outcome::waiting:
      return fmt::format("target {} waits: this service was written to a moment ago",
                         v.target.value_or(0));
    case Outcome::drained:
      return "weight 0 in the kernel: drained by somebody else, hands off";
    case Outcome::no_reading:
    case Outcome::silent_hold:
      return age(v) + ": weight held";
    case Outcome::silent_base:
      return fmt::format("{}: back to the base weight {}", age(v), v.base);
    case Outcome::saturated_cut:
      return fmt::format("{} while its connections pile up ({} active): cut to {}", age(v),
                         v.active, v.write.value_or(v.current));
    case Outcome::unknown_reading:
      return measures(v) + ": a measure is unknown, weight held";
    case Outcome::frozen:
      return "more than half of the pool is silent: nothing is written (" + age(v) + ")";
    case Outcome::foreign:
      return foreign(v);
    case Outcome::counters_frozen:
      return "connections open but no counter moves (net.ipv4.vs.run_estimation=0, or they are "
             "another director's, synchronised): weight held";
    case Outcome::alone:
      return measures(v) + ": no other server to compare with, weight held";
    case Outcome::unmanaged:
      return "not in the services list: left alone";
    case Outcome::weights_ignored:
      return fmt::format("scheduler {} does not read weights as shares: left alone", v.scheduler);
    case Outcome::standby:
      return measures(v) +
             ": neither a packet nor a new connection comes through this director; weight kept";
    case Outcome::reasserted:
      return fmt::format("somebody else set the weight to {}: {} is put back", v.current,
                         v.target.value_or(v.current));
    case Outcome::paused:
      return "paused by hand: nothing is written until `monitorctl resume`";
    case Outcome::restoring:
      return fmt::format("restored by hand: the base weight {} is put back, then paused", v.base);
    case Outcome::pinned:
      return fmt::format("pinned to {} by hand until `monitorctl unpin`",
                         v.target.value_or(v.current));
    case Outcome::hand_drain:
      return drain(v, "drained by hand", "until `monitorctl undrain`");
    case Outcome::silent_drain:
      return drain(v, age(v), "until its agent answers");
    case Outcome::agent_drain:
      return agent_drain(v);
    case Outcome::undrain:
      return undrain(v);
  }
  return {};
}

}  // namespace lvs::monitord
