#pragma once

// At most one log line per kind and minute. Time is an argument.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace lvs::agent {

class LogLimit {
 public:
  /// One event of a kind happened. Returns how many of its kind stand behind the line that may be
  /// written now, this one included; empty: no line.
  std::optional<std::uint64_t> count(std::size_t kind, std::chrono::nanoseconds now) {
    Kind& entry = kinds_[kind];
    ++entry.unsaid;
    if (entry.next && now < *entry.next) return std::nullopt;
    entry.next = now + std::chrono::minutes{1};
    const std::uint64_t said = entry.unsaid;
    entry.unsaid = 0;
    return said;
  }

 private:
  struct Kind {
    std::optional<std::chrono::nanoseconds> next{};  ///< a line may be written from then on
    std::uint64_t unsaid{};
  };
  std::map<std::size_t, Kind> kinds_{};
};

}  // namespace lvs::agent
