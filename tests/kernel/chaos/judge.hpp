#pragma once

// What monitord may and may not do to a table, judged from two looks at it. Pure: the looks, the
// edits and their times are arguments.
//
// Between two looks nobody but monitord writes, except for the edit that the caller tells of. So
// every other change is monitord's, and has to keep the laws.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lvs::chaos {

using Moment = std::chrono::nanoseconds;  ///< of a clock that nobody sets

struct Destination {
  std::uint32_t weight{};
  std::string facts{};  ///< all that a weight write must leave alone

  friend bool operator==(const Destination&, const Destination&) = default;
};

/// The table at one moment.
struct Look {
  Moment at{};                                        ///< when all was read
  std::map<std::string, std::string> services{};      ///< name -> facts
  std::map<std::string, Destination> destinations{};  ///< "SERVICE DESTINATION" -> what it is
};

/// What an operator did to some destinations: the weight that each was given; empty: removed.
struct Edit {
  Moment ended{};
  std::map<std::string, std::optional<std::uint32_t>> wanted{};
};

/// What became of one destination between two looks.
struct Change {
  const Destination* before{};         ///< null: it was not there
  const Destination* after{};          ///< null: it is not there
  const Destination* before_edit{};    ///< what the newest edit found; null: nothing, or none known
  std::optional<Moment> since_edit{};  ///< from the end of that edit to the later look
};

struct Finding {
  enum class Kind {
    broken,     ///< a law
    lost_edit,  ///< somebody's write fell between monitord's last read and its write
  };
  Kind kind{Kind::broken};
  std::string text{};
};

/// A law looks at one change; nothing: kept. More of them go into laws() in judge.cpp.
using Law = std::optional<Finding> (*)(const Change&);

class Judge {
 public:
  /// A later look, with no edit since the last one.
  void look(const Look& now);

  /// The first look after an edit.
  void edited(const Edit& edit, const Look& now);

  /// The table cannot be compared with what it was: ip_vs was unloaded, all was built anew.
  void start_again(const Look& now);

  /// What an edit may have been lost in; monitord writes within that time after its read.
  static constexpr Moment window = std::chrono::milliseconds(100);

  [[nodiscard]] const std::vector<std::string>& broken() const { return broken_; }
  [[nodiscard]] std::size_t lost_edits() const { return lost_edits_; }
  [[nodiscard]] Moment longest_loss() const { return longest_loss_; }
  [[nodiscard]] std::size_t looks() const { return looks_; }
  [[nodiscard]] std::size_t writes() const { return writes_; }
  /// Whether an edit of that destination was lost since the last call for it.
  bool take_lost(const std::string& destination) { return lost_.erase(destination) > 0; }

 private:
  struct LastEdit {
    Moment ended{};
    std::optional<Destination> before{};
  };

  void compare(const Look& now, const Edit* edit);
  void judge(const std::string& name, const Look& now);
  void judge_edited(const std::string& name, std::optional<std::uint32_t> wanted, const Look& now);
  void note(const std::string& name, const Finding& finding, const Look& now);

  Look last_{};
  std::map<std::string, LastEdit> edits_{};
  std::set<std::string> lost_{};
  std::vector<std::string> broken_{};
  std::size_t lost_edits_{}, looks_{}, writes_{};
  Moment longest_loss_{};
};

}  // namespace lvs::chaos
