#pragma once

// How the director measures response times itself: the `probe:` section as values.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace lvs::monitord {

/// HTTP status codes that count as an answer, both ends included.
struct StatusRange {
  unsigned low{200};
  unsigned high{399};

  friend bool operator==(const StatusRange&, const StatusRange&) = default;
};

struct ProbeConfig {
  enum class Kind {
    tcp,   ///< time until a TCP connection stands
    http,  ///< time until the first byte of the reply to a GET over HTTP/1.1, without TLS
  };
  Kind kind{Kind::tcp};
  std::string path{"/"};                               ///< of the GET, in printable ASCII
  std::string host{};                                  ///< its Host; empty: address and port
  StatusRange expect{};                                ///< of the reply
  std::optional<std::uint16_t> port{};                 ///< default: the destination's
  std::optional<std::chrono::nanoseconds> interval{};  ///< default: that of the cycles
  std::optional<std::chrono::nanoseconds> deadline{};  ///< default: 1 s, at most the interval

  friend bool operator==(const ProbeConfig&, const ProbeConfig&) = default;
};

/// `cycle` is the interval of the cycles.
inline std::chrono::nanoseconds probe_interval(const ProbeConfig& probe,
                                               std::chrono::nanoseconds cycle) {
  return probe.interval.value_or(cycle);
}

inline std::chrono::nanoseconds probe_deadline(const ProbeConfig& probe,
                                               std::chrono::nanoseconds cycle) {
  constexpr std::chrono::nanoseconds usual = std::chrono::seconds{1};
  return probe.deadline.value_or(std::min(usual, probe_interval(probe, cycle)));
}

}  // namespace lvs::monitord
