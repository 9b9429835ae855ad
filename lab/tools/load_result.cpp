#include "load_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <numeric>

namespace lvs::lab {

namespace {

constexpr double milliseconds = 1e3;

/// Nearest rank on sorted values; 0 when there are none.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  auto const rank = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(rank, sorted.size() - 1)];
}

std::optional<double> seconds_from_text(std::string_view text) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Window> window_from_text(std::string_view text) {
  auto const dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  auto const from = seconds_from_text(text.substr(0, dash));
  auto const to = seconds_from_text(text.substr(dash + 1));
  // Written so that a NaN is refused, too.
  if (!from || !to || !(*from >= 0) || !(*to > *from)) return std::nullopt;
  return Window{*from, *to};
}

std::string json_from_counts(const std::map<std::string, std::size_t>& counts) {
  std::string json;
  for (auto const& [name, count] : counts) {
    fmt::format_to(std::back_inserter(json), "{}\"{}\":{}", json.empty() ? "" : ",", name, count);
  }
  return "{" + json + "}";
}

std::string json_from_window(const WindowResult& r) {
  return fmt::format(
      R"({{"from":{},"to":{},"answered":{},"failed":{},"answers_per_second":{:.1f},)"
      R"("mean_ms":{:.2f},"p50_ms":{:.2f},"p95_ms":{:.2f},"p99_ms":{:.2f},"max_ms":{:.2f},)"
      R"("servers":{},"failures":{}}})",
      r.window.from, r.window.to, r.answered, r.failed, r.answers_per_second, r.mean, r.p50, r.p95,
      r.p99, r.max, json_from_counts(r.servers), json_from_counts(r.failures));
}

}  // namespace

WindowResult result_of_window(std::span<const Outcome> outcomes, Window window) {
  WindowResult result{.window = window};
  std::vector<double> latencies;
  for (auto const& outcome : outcomes) {
    if (outcome.planned < window.from || outcome.planned >= window.to) continue;
    if (!outcome.failure.empty()) {
      ++result.failed;
      ++result.failures[outcome.failure];
      continue;
    }
    latencies.push_back(milliseconds * outcome.latency);
    ++result.servers[outcome.server];
  }
  result.answered = latencies.size();
  if (latencies.empty()) return result;

  std::sort(latencies.begin(), latencies.end());
  auto const count = static_cast<double>(latencies.size());
  result.answers_per_second = count / (window.to - window.from);
  result.mean = std::accumulate(latencies.begin(), latencies.end(), 0.0) / count;
  result.p50 = percentile(latencies, 0.50);
  result.p95 = percentile(latencies, 0.95);
  result.p99 = percentile(latencies, 0.99);
  result.max = latencies.back();
  return result;
}

std::optional<std::vector<Window>> windows_from_text(std::string_view text) {
  std::vector<Window> windows;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const comma = std::min(text.find(',', begin), text.size());
    auto const window = window_from_text(text.substr(begin, comma - begin));
    if (!window) return std::nullopt;
    windows.push_back(*window);
    begin = comma + 1;
  }
  return windows;
}

bool is_complete(std::string_view response) {
  constexpr std::string_view header = "\r\nContent-Length: ";
  auto const header_end = response.find("\r\n\r\n");
  auto const field = response.find(header);
  if (header_end == std::string_view::npos || field >= header_end) return false;
  auto const* const begin = response.data() + field + header.size();
  std::size_t length = 0;
  auto const [end, error] = std::from_chars(begin, response.data() + header_end, length);
  return error == std::errc{} && response.size() - header_end - 4 >= length;
}

std::string server_from_response(std::string_view response) {
  auto const header_end = response.find("\r\n\r\n");
  auto const status_line = response.substr(0, response.find("\r\n"));
  if (header_end == std::string_view::npos || !status_line.starts_with("HTTP/1.") ||
      status_line.find(" 200 ") == std::string_view::npos) {
    return {};
  }
  auto body = response.substr(header_end + 4);
  body = body.substr(0, body.find('\n'));
  std::string name;
  std::copy_if(body.begin(), body.end(), std::back_inserter(name), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
  return name;
}

std::string json_from_result(const RunResult& result) {
  std::string windows;
  for (auto const& window : result.windows) {
    if (!windows.empty()) windows += ',';
    windows += json_from_window(window);
  }
  return fmt::format(R"({{"sent":{},"peak_open":{},"start_lag_ms":{:.2f},"windows":[{}]}})",
                     result.sent, result.peak_open, result.start_lag_ms, windows);
}

}  // namespace lvs::lab
