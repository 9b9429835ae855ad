#pragma once

// What a load run showed: pure arithmetic on the outcomes of its requests.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::lab {

/// One request. Times are seconds since the start of the run; `planned` is when it should
/// have been sent, so that a late client counts against the latency and does not hide it.
struct Outcome {
  double planned{};
  double latency{};
  std::string server{};   ///< who answered; empty when the request failed
  std::string failure{};  ///< why it failed: refused, reset, timeout, short, connect, socket
};

/// A part of a run, [from, to) in seconds, by the requests' planned starts.
struct Window {
  double from{};
  double to{};

  friend bool operator==(const Window&, const Window&) = default;
};

/// Latencies in milliseconds, of the requests that were answered.
struct WindowResult {
  Window window{};
  std::size_t answered{};
  std::size_t failed{};
  double answers_per_second{};
  double mean{};
  double p50{};
  double p95{};
  double p99{};
  double max{};
  std::map<std::string, std::size_t> servers{};
  std::map<std::string, std::size_t> failures{};
};

struct RunResult {
  std::size_t sent{};
  std::size_t peak_open{};  ///< most connections open at a time
  double start_lag_ms{};    ///< how late the client itself was at worst
  std::vector<WindowResult> windows{};
};

WindowResult result_of_window(std::span<const Outcome> outcomes, Window window);

/// "0-10,30-50.5" in seconds; empty when it cannot be read or a window is empty.
std::optional<std::vector<Window>> windows_from_text(std::string_view text);

/// Whether all of a response with a Content-Length is there.
bool is_complete(std::string_view response);

/// What the response says its sender's name is (its body's first line, reduced to letters,
/// digits, '.', '-' and '_'); empty when it is not a complete "200" answer.
std::string server_from_response(std::string_view response);

/// One line.
std::string json_from_result(const RunResult& result);

}  // namespace lvs::lab
