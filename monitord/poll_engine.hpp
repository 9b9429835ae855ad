#pragma once

// Asks the agents and judges their answers, without a socket or a clock: datagrams and moments go
// in, datagrams and readings come out.
//
// Threading: one thread. Errors: a bad datagram is counted and dropped, never answered.
// Monitoring: counters(), and faults() for the log.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "agentproto/sample.hpp"
#include "monitord/agents.hpp"
#include "monitord/duration_histogram.hpp"
#include "monitord/poll_schedule.hpp"
#include "monitord/reading.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

struct PollKey {
  std::uint32_t id{};  ///< never 0: that is the keyless form
  agentproto::Key master{};

  friend bool operator==(const PollKey&, const PollKey&) = default;
};

struct PollSettings {
  Moment interval{};
  Moment deadline{};
  bool keyless{};               ///< the operator wrote `security: none`
  std::vector<PollKey> keys{};  ///< without a key and not keyless nobody is asked

  friend bool operator==(const PollSettings&, const PollSettings&) = default;
};

struct Datagram {
  Endpoint to{};
  agentproto::RequestBytes bytes{};
};

class PollEngine {
 public:
  /// Unpredictable 64 bits: a reply is believed because it knows them.
  using NonceSource = std::function<std::uint64_t()>;

  PollEngine(PollSettings settings, NonceSource nonces);

  /// Readings and open questions stay; new keys hold from the next question on.
  void reconfigure(PollSettings settings);

  /// Plans the questions of one cycle. An agent that is missing from two lists in a row is
  /// forgotten with its reading; from one, not: a dump is not a snapshot.
  void begin_cycle(Moment now, std::span<const Agent> agents);

  /// What to send now; `datagrams` is overwritten.
  void due(Moment now, std::vector<Datagram>& datagrams);
  /// When due() has something next.
  [[nodiscard]] std::optional<Moment> next() { return schedule_.next(); }

  void received(const Endpoint& from, agentproto::Bytes datagram, Moment now);

  [[nodiscard]] const Readings& readings() const { return readings_; }
  [[nodiscard]] const PollCounters& counters() const { return counters_; }
  /// From the sending of a request to the reply to it.
  [[nodiscard]] const DurationHistogram& poll_times() const { return poll_times_; }
  /// Questions that a reply may still belong to: those of the last two cycles, and no datagram adds
  /// one.
  [[nodiscard]] std::size_t open_questions() const { return questions_.size(); }
  /// Kind of fault -> who caused it last, since the last call.
  std::map<std::string_view, std::string> take_faults();

 private:
  struct LiveKey {
    std::uint32_t id{};
    agentproto::MacKey mac;
  };
  struct Known {
    Agent agent{};
    agentproto::NameHash name_hash{};
    std::vector<LiveKey> keys{};  ///< one, or two while keys are rotated; in the order of ids
    std::uint32_t key_id{};       ///< that answered last: two are live while keys are rotated
    unsigned absences{};
    Moment asked{};  ///< first sending of the open question
    std::optional<agentproto::Sample> sample{};
    Moment sample_sent{};  ///< sending of the request that fetched `sample`
  };
  struct Question {
    ipvs::IpAddress server{};
    std::uint64_t round{};
    Moment sent{};
    Moment deadline{};
  };

  [[nodiscard]] Known known_from_agent(const Agent& agent) const;
  void key(Known& known) const;
  static const LiveKey* key_of(const Known& known, std::uint32_t id);  ///< null: there is none
  void forget_dead_nonces(Moment now);
  std::optional<Datagram> question(const DuePoll& poll, Moment now);
  void fault(std::uint64_t& counter, std::string_view kind, const Endpoint& from,
             std::string_view agent);
  tl::expected<agentproto::Reply, agentproto::DecodeError> decoded(
      const Known& known, std::uint32_t key_id, agentproto::Bytes datagram) const;
  void decode_failed(agentproto::DecodeError error, const Endpoint& from, std::string_view agent);
  void take_sample(Known& known, const agentproto::Sample& sample, Moment sent);

  PollSettings settings_;
  NonceSource nonces_;
  PollSchedule schedule_;
  std::unordered_map<ipvs::IpAddress, Known, ipvs::IpAddress::Hash> agents_{};
  std::vector<DuePoll> steps_{};                    ///< room for due()
  std::pmr::unsynchronized_pool_resource nodes_{};  ///< of what comes and goes with every poll
  std::pmr::unordered_map<std::uint64_t, Question> questions_{&nodes_};  ///< by nonce
  Readings readings_{};
  PollCounters counters_{};
  DurationHistogram poll_times_{};
  std::map<std::string_view, std::string> faults_{};
};

}  // namespace lvs::monitord
