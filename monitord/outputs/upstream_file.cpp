#include "monitord/outputs/upstream_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace lvs::monitord {
namespace {

constexpr std::string_view head =
    "# Written by monitord, which takes the place of whatever else is written here.\n";
constexpr std::size_t longest_reason = 300;

/// Of the lines, the first that is worse than a warning; else the first.
std::string_view telling_line(std::string_view output) {
  constexpr std::array<std::string_view, 4> bad{"[emerg]", "[alert]", "[crit]", "[error]"};
  std::string_view first;
  while (!output.empty()) {
    auto const line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    if (first.empty()) first = line;
    for (auto const mark : bad) {
      if (auto const at = line.find(mark); at != std::string_view::npos) return line.substr(at);
    }
  }
  return first;
}

/// "[emerg] 123#123: host not found" -> "host not found".
std::string_view without_numbers(std::string_view line) {
  if (!line.starts_with('[')) return line;
  line.remove_prefix(std::min(line.size(), line.find(']') + 1));
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
  auto const hash = line.find_first_not_of("0123456789");
  if (hash == 0 || hash == std::string_view::npos || line[hash] != '#') return line;
  auto const end = line.find(": ");
  return end == std::string_view::npos ? line : line.substr(end + 2);
}

}  // namespace

std::string upstream_text(std::span<const OutputServer> servers) {
  std::string text(head);
  for (auto const& server : servers) {
    auto const name = ipvs::string_from_destination_key(server.key);
    if (server.weight == 0) {
      fmt::format_to(std::back_inserter(text), "server {} down;\n", name);
    } else {
      fmt::format_to(std::back_inserter(text), "server {} weight={};\n", name, server.weight);
    }
  }
  return text;
}

std::string reason_of_nginx(std::string_view output) {
  std::string reason(without_numbers(telling_line(output)).substr(0, longest_reason));
  std::ranges::replace_if(
      reason, [](char c) { return c < ' ' || c > '~'; }, '?');
  return reason.empty() ? "it does not say why" : reason;
}

}  // namespace lvs::monitord
