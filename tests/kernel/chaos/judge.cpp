#include "kernel/chaos/judge.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

namespace lvs::chaos {
namespace {

constexpr std::uint32_t least_weight = 1, largest_weight = 100;

bool in_the_window(const Change& change) {
  return change.since_edit && *change.since_edit < Judge::window;
}

std::optional<Finding> broken(const char* text) {
  return Finding{Finding::Kind::broken, text};
}

/// The state of before the edit is back: a write with an older read in its hand.
std::optional<Finding> lost_or_broken(const Change& change, const char* text) {
  if (in_the_window(change)) return Finding{Finding::Kind::lost_edit, text};
  return broken(text);
}

std::optional<Finding> nothing_is_added(const Change& change) {
  if (change.before != nullptr || change.after == nullptr) return std::nullopt;
  return broken("a destination that nobody added");
}

std::optional<Finding> nothing_is_removed(const Change& change) {
  if (change.before == nullptr || change.after != nullptr) return std::nullopt;
  return broken("gone, and nobody removed it");
}

bool both(const Change& change) {
  return change.before != nullptr && change.after != nullptr;
}

std::optional<Finding> only_weights_change(const Change& change) {
  if (!both(change) || change.before->facts == change.after->facts) return std::nullopt;
  bool const back =
      change.before_edit != nullptr && change.before_edit->facts == change.after->facts;
  if (back) return lost_or_broken(change, "more than the weight is as before the edit");
  return broken("more than the weight changed");
}

std::optional<Finding> a_foreign_zero_stays(const Change& change) {
  if (!both(change) || change.before->weight != 0 || change.after->weight == 0) {
    return std::nullopt;
  }
  return lost_or_broken(change, "a foreign 0 was written over");
}

std::optional<Finding> no_zero_is_written(const Change& change) {
  if (!both(change) || change.before->weight == 0 || change.after->weight != 0) {
    return std::nullopt;
  }
  return broken("0 was written");
}

std::optional<Finding> weights_stay_in_range(const Change& change) {
  if (!both(change) || change.before->weight == change.after->weight) return std::nullopt;
  if (change.after->weight == 0) return std::nullopt;  // a law of its own
  if (change.after->weight >= least_weight && change.after->weight <= largest_weight) {
    return std::nullopt;
  }
  return broken("a weight out of range was written");
}

constexpr std::array<Law, 6> laws{&nothing_is_added,    &nothing_is_removed,
                                  &only_weights_change, &a_foreign_zero_stays,
                                  &no_zero_is_written,  &weights_stay_in_range};

const Destination* find(const Look& look, const std::string& name) {
  auto const found = look.destinations.find(name);
  return found == look.destinations.end() ? nullptr : &found->second;
}

std::string text_of(const Destination* destination) {
  if (destination == nullptr) return "absent";
  return std::to_string(destination->weight) + " (" + destination->facts + ")";
}

}  // namespace

void Judge::look(const Look& now) {
  compare(now, nullptr);
}

void Judge::edited(const Edit& edit, const Look& now) {
  for (auto const& [name, wanted] : edit.wanted) {
    auto const* const before = find(last_, name);
    edits_[name] = {edit.ended, before == nullptr ? std::nullopt : std::optional(*before)};
  }
  compare(now, &edit);
}

void Judge::start_again(const Look& now) {
  last_ = now;
  edits_.clear();
  ++looks_;
}

void Judge::compare(const Look& now, const Edit* edit) {
  std::set<std::string> names;
  for (auto const* look : std::initializer_list<const Look*>{&last_, &now}) {
    for (auto const& [name, destination] : look->destinations)
      names.insert(name);
  }
  if (edit != nullptr) {
    for (auto const& [name, wanted] : edit->wanted)
      names.insert(name);
  }
  for (auto const& name : names) {
    bool const is_edited = edit != nullptr && edit->wanted.contains(name);
    if (is_edited) {
      judge_edited(name, edit->wanted.at(name), now);
    } else {
      judge(name, now);
    }
  }
  if (now.services != last_.services) {
    broken_.emplace_back("a service was changed, added or removed");
  }
  last_ = now;
  ++looks_;
}

void Judge::judge(const std::string& name, const Look& now) {
  Change change{find(last_, name), find(now, name), nullptr, std::nullopt};
  auto const edit = edits_.find(name);
  if (edit != edits_.end()) {
    change.since_edit = now.at - edit->second.ended;
    if (edit->second.before) change.before_edit = &*edit->second.before;
  }
  if (both(change) && change.before->weight != change.after->weight) ++writes_;
  for (auto const law : laws) {
    if (auto const finding = law(change)) note(name, *finding, now);
  }
}

/// monitord may have written before this look, but neither brought it back nor taken it away.
void Judge::judge_edited(const std::string& name, std::optional<std::uint32_t> wanted,
                         const Look& now) {
  auto const* const after = find(now, name);
  if (wanted.has_value() != (after != nullptr)) {
    note(name,
         {Finding::Kind::broken, wanted ? "added, and gone at once" : "removed, and back at once"},
         now);
    return;
  }
  if (after == nullptr || after->weight == *wanted) return;
  // The edit, and then a write. In the next cycle monitord would have seen it.
  note(name, {Finding::Kind::lost_edit, "written over at once"}, now);
}

void Judge::note(const std::string& name, const Finding& finding, const Look& now) {
  if (finding.kind == Finding::Kind::broken) {
    broken_.push_back(name + ": " + finding.text + ": " + text_of(find(last_, name)) + " -> " +
                      text_of(find(now, name)));
    return;
  }
  ++lost_edits_;
  lost_.insert(name);
  longest_loss_ = std::max(longest_loss_, now.at - edits_.at(name).ended);
}

}  // namespace lvs::chaos
