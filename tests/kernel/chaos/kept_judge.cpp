#include "kernel/chaos/kept_judge.hpp"

namespace lvs::chaos {

void KeptJudge::start_again(Moment at, const std::map<std::string, Destination>& now) {
  last_ = now;
  looked_ = at;
  zero_since_.clear();
  for (auto const& [name, destination] : now) {
    if (destination.weight == 0) zero_since_[name] = at;
  }
}

void KeptJudge::look(Moment at, const std::map<std::string, Destination>& now) {
  for (auto const& [name, after] : now) {
    auto const before = last_.find(name);
    if (before == last_.end()) {
      broken_.push_back(name + ": added, and not by keepalived");
    } else {
      judge(name, at, before->second, after);
    }
  }
  for (auto const& [name, before] : last_) {
    if (!now.contains(name)) broken_.push_back(name + ": removed, and not by keepalived");
  }
  last_ = now;
  looked_ = at;
}

void KeptJudge::judge(const std::string& name, Moment at, const Destination& before,
                      const Destination& after) {
  if (before.facts != after.facts) broken_.push_back(name + ": more than the weight changed");
  if (before.weight == after.weight) return;
  if (after.weight == 0) {
    zero_since_[name] = at;
    ++failures_;
  } else if (before.weight == 0) {
    judge_end_of_zero(name, at, after.weight);
  } else if (after.weight > 100) {
    broken_.push_back(name + ": a weight out of range was written");
  }
}

void KeptJudge::judge_end_of_zero(const std::string& name, Moment at, std::uint32_t weight) {
  if (weight == weight_) {
    ++returns_;
  } else if (at - looked_ > blink) {
    ++unseen_;
  } else if (at - zero_since_.at(name) < young) {
    ++lost_;
  } else {
    broken_.push_back(name + ": keepalived's 0 was written over with " + std::to_string(weight));
  }
  zero_since_.erase(name);
}

}  // namespace lvs::chaos
