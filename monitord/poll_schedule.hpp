#pragma once

// Which agent is asked when. Pure: time is an argument, nothing is sent here.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

enum class PollStep {
  ask,        ///< the question of this cycle
  ask_again,  ///< half the deadline passed without a reply
  give_up,    ///< the deadline passed; a reply that still comes is late, and used
};

struct DuePoll {
  ipvs::IpAddress server{};
  PollStep step{PollStep::ask};
  std::uint64_t round{};  ///< number of the question, never 0; a repetition keeps it

  friend bool operator==(const DuePoll&, const DuePoll&) = default;
};

/// Every server is asked once a cycle, at its own slot, so that neither the director nor the
/// network sees bursts. One deadline covers the question and its repetition; nobody waits for
/// anybody: a server that stays silent has no influence on when the others are asked.
class PollSchedule {
 public:
  PollSchedule(Moment interval, Moment deadline) : interval_(interval), deadline_(deadline) {}

  /// Takes effect with the next cycle.
  void set_times(Moment interval, Moment deadline);

  /// Plans one question for each of `servers` (each named once, in a stable order: the slot is the
  /// rank) between `now` and `now + interval`. Questions of earlier cycles that are still open keep
  /// their deadlines; questions not yet asked are replaced.
  void begin_cycle(Moment now, std::span<const ipvs::IpAddress> servers);

  /// All steps that are due at `now`, each once, in the order of their times; `steps` is
  /// overwritten.
  void due(Moment now, std::vector<DuePoll>& steps);

  /// A reply to question `round` came: it needs neither repetition nor giving up. A reply to an
  /// earlier question changes nothing for the open one.
  void answered(const ipvs::IpAddress& server, std::uint64_t round);

  /// When due() has something next; empty: nothing is planned.
  [[nodiscard]] std::optional<Moment> next();

 private:
  struct Event {
    Moment at{};
    DuePoll poll{};
  };
  /// In the order of their times. They come in that order but for a change of the deadline, so that
  /// what a heap would do costs next to nothing.
  class Queue {
   public:
    void push(const Event& event);
    [[nodiscard]] const Event* first() const;
    void pop();
    void clear();

   private:
    std::vector<Event> events_{};
    std::size_t begin_{};  ///< what is before it was taken
  };

  Queue* earliest();
  [[nodiscard]] bool is_open(const DuePoll& poll) const;
  void take(DuePoll poll, Moment now, std::vector<DuePoll>& steps);

  Moment interval_;
  Moment deadline_;
  std::uint64_t rounds_{};  ///< questions asked so far
  Queue questions_{};       ///< of this cycle
  Queue repetitions_{};
  Queue deadlines_{};
  std::pmr::unsynchronized_pool_resource nodes_{};  ///< of what comes and goes with every poll
  /// Round of the question without a reply.
  std::pmr::map<ipvs::IpAddress, std::uint64_t> open_{&nodes_};
};

}  // namespace lvs::monitord
