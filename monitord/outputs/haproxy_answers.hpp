#pragma once

// Output `haproxy`: what HAProxy's agent-check is answered with. Pure: connections are in
// agent_check_server.hpp.
//
// HAProxy connects, sends what `agent-send` says ("be/s1\n"), reads one line and closes: see
// agent-check in section 5.2 of its configuration manual. Words that it does not get change
// nothing, so a weight stays while monitord is away.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/outputs/output.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// Longer questions are none: two names of 120 bytes, a slash, an end of line.
inline constexpr std::size_t longest_question = 255;

struct AgentQuestion {
  std::string_view backend{}, server{};

  friend bool operator==(const AgentQuestion&, const AgentQuestion&) = default;
};

/// "be/s1", with or without the end of its line. Nothing when it is anything else.
std::optional<AgentQuestion> question_from_line(std::string_view line);

/// Of `base`, the weight in haproxy.cfg, so that HAProxy's own base * percent / 100, cut off, is
/// `weight`; above a base of 100 it may be up to 2 more. At least 1 for a weight above 0: less
/// would drain. At most 25600, where HAProxy's range ends.
unsigned haproxy_percent(std::uint32_t weight, std::uint32_t base);

class HaproxyAnswers : public Output {
 public:
  /// A server that was not asked for in this time is not asked for at all.
  static constexpr Moment silence = std::chrono::seconds{30};

  [[nodiscard]] OutputKind kind() const override { return OutputKind::haproxy; }
  /// A server that is let go while it is at 0 gets its base back at its next question: nobody else
  /// would ever raise it.
  void declare(const std::vector<OutputPool>& pools, bool acts, Moment now) override;
  /// Never fails: HAProxy is told when it asks.
  std::vector<Result> apply(const ipvs::ServiceKey& service,
                            std::span<const OutputServer> weights) override;
  [[nodiscard]] std::vector<std::string> notes(Moment now) const override;

  /// "up 37%\n". "up" takes back a "down" of another agent's and nothing else: HAProxy's own checks
  /// and what people set (drain, maint) stand. To what is no question, or names no server, a word
  /// that HAProxy shows as an error of the agent and that changes nothing.
  std::string answer(std::string_view question, Moment now);
  /// To whoever has not ended the line in time; counted as such.
  std::string answer_to_slow();

  /// Nothing is there that HAProxy would want to know and has not been told since; of servers that
  /// it asks for at all.
  [[nodiscard]] bool all_told() const;
  /// There is something to answer.
  [[nodiscard]] bool is_wanted() const { return acts_ && !servers_.empty(); }

  [[nodiscard]] const QuestionCounters& counters() const { return counters_; }
  /// For each kind of fault the last question, since the last call.
  std::map<std::string_view, std::string> take_faults() { return std::exchange(faults_, {}); }

 private:
  struct Server {
    ipvs::ServiceKey pool{};
    std::uint32_t base{1}, weight{};
    bool let_go{};   ///< no pool has it any more
    bool told{};     ///< of this weight
    Moment since{};  ///< when it was first to be asked for
    std::optional<Moment> asked{};
  };
  using Name = std::pair<std::string, std::string>;  ///< backend, server
  using Servers = std::map<Name, Server, std::less<>>;

  Servers::iterator find(const AgentQuestion& question);
  static bool is_silent(const Server& server, Moment now);

  Servers servers_{};
  std::map<ipvs::ServiceKey, std::string> backends_{};
  bool acts_{};
  QuestionCounters counters_{};
  std::map<std::string_view, std::string> faults_{};
};

}  // namespace lvs::monitord
