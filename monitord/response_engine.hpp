#pragma once

// Whom to probe when, and what an answer is worth, without a socket or a clock: moments and bytes
// go in, connections to open and response times come out.
//
// A probe is one TCP connection. What it yields, in seconds:
//   answered   the time from the start until the connection stood, or (HTTP) until the first byte
//              of a reply came whose status is expected
//   timeout    the deadline: the true time is not below it
//   failed     nothing: refused, unreachable, a reply that is none or has another status. A fast
//              error is no fast answer, and whether a server lives is not asked here.
//
// Threading: one thread. Monitoring: counters(), and take_faults() for the log.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/decision.hpp"
#include "monitord/probe_targets.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

using ProbeId = std::uint64_t;

struct Probe {
  ProbeId id{};
  Endpoint to{};

  friend bool operator==(const Probe&, const Probe&) = default;
};

class ResponseEngine {
 public:
  /// Connections open at a time. Probes beyond it wait for their turn, the longest waiting first;
  /// the interval of a pool full of dead servers grows rather than the director's descriptors.
  static constexpr std::size_t most_at_once = 64;
  /// Of a reply; a status line that is not complete within it is none.
  static constexpr std::size_t most_reply_bytes = 8192;

  struct Steps {
    std::vector<ProbeId> give_up{};  ///< close these; nothing more is heard of them
    std::vector<Probe> start{};      ///< then open these
  };

  /// Who is to be probed from now on, in an order that is the same in every cycle. A new target
  /// gets a place of its own in the interval; a target that is missing is not asked, and is
  /// forgotten when it is missing twice in a row: a dump is not a snapshot.
  void begin_cycle(Moment now, std::span<const ProbeTarget> targets);

  Steps due(Moment now);
  /// When due() has something next, unless a probe ends before.
  [[nodiscard]] std::optional<Moment> next() const;

  // What became of a probe. Of one that is over, or was given up, nothing is taken.

  /// What to send over the connection; empty: nothing, close it.
  std::string connected(ProbeId id, Moment now);
  /// True when more bytes are wanted; else close it.
  bool received(ProbeId id, std::string_view bytes, Moment now);

  enum class Failure {
    refused,      ///< nobody listens there
    unreachable,  ///< no connection for another reason, of the network or of this host
    cut_short,    ///< the connection ended before the reply was one
  };
  void failed(ProbeId id, Failure failure);

  /// Mean over what came since the last call; where nothing came, the mean before. Unknown when
  /// nothing came for two intervals and a deadline.
  ResponseTimes take_responses(Moment now);

  [[nodiscard]] const ProbeCounters& counters() const { return counters_; }
  /// Kind of fault -> where it happened last, since the last call.
  std::map<std::string_view, std::string> take_faults();

 private:
  struct Known {
    ProbeTarget target{};
    unsigned absences{};
    Moment next{};  ///< place in the agenda
    std::optional<ProbeId> open{};
    double sum_s{};
    unsigned count{};
    std::optional<double> mean_s{};
    Moment heard{};  ///< when the last number came
  };
  struct Open {
    TargetKey key{};
    Moment started{};
    Moment deadline{};
    std::optional<Moment> first_byte{};
    std::string reply{};
  };
  using Opens = std::map<ProbeId, Open>;

  void add(const ProbeTarget& target, Moment next);
  void forget(const TargetKey& key);
  void expire(Moment now, Steps& steps);
  void start(Moment now, Steps& steps);
  Known& close(Opens::iterator open);
  void answered(Opens::iterator open, Moment at);
  void fault(Opens::iterator open, std::uint64_t& counter, std::string_view kind);

  std::map<TargetKey, Known> known_{};
  std::set<std::pair<Moment, TargetKey>> agenda_{};
  Opens open_{};
  std::set<std::pair<Moment, ProbeId>> deadlines_{};
  std::vector<ProbeId> cancelled_{};  ///< open when their target was forgotten
  ProbeId last_id_{};
  ProbeCounters counters_{};
  std::map<std::string_view, std::string> faults_{};
};

}  // namespace lvs::monitord
