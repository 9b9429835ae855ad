#include "bench/agent_floor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <system_error>

namespace lvs::bench {
namespace {

FileDescriptor opened(const char* path) {
  FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw std::system_error(errno, std::generic_category(), path);
  return file;
}

template <std::size_t size>
std::string_view text_of(const FileDescriptor& file, std::array<char, size>& room) {
  const auto count = ::pread(file.get(), room.data(), room.size(), 0);
  return {room.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

/// Takes the next decimal number off `text`; empty: there is none on this line.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
  const auto found = text.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  text.remove_prefix(found + key.size());
  return take_number(text);
}

}  // namespace

std::optional<FloorReading> floor_from_texts(std::string_view stat, std::string_view meminfo) {
  constexpr std::string_view head = "cpu ";
  if (!stat.starts_with(head)) return std::nullopt;
  stat.remove_prefix(head.size());
  std::array<std::uint64_t, 8> ticks{};  // user nice system idle iowait irq softirq steal
  for (auto& field : ticks) {
    const auto number = take_number(stat);
    if (!number) return std::nullopt;
    field = *number;
  }
  const auto total = number_after(meminfo, "MemTotal:");
  const auto available = number_after(meminfo, "MemAvailable:");
  if (!total || !available) return std::nullopt;
  return FloorReading{ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7],
                      ticks[3] + ticks[4], *total, *available};
}

AgentFloor::AgentFloor() : stat_(opened("/proc/stat")), meminfo_(opened("/proc/meminfo")) {}

FloorReading AgentFloor::read() const {
  std::array<char, 16384> stat;  // not cleared: the kernel fills what is used
  std::array<char, 4096> meminfo;
  const auto reading = floor_from_texts(text_of(stat_, stat), text_of(meminfo_, meminfo));
  if (!reading) throw std::runtime_error("/proc/stat or /proc/meminfo is not as in proc(5)");
  return *reading;
}

}  // namespace lvs::bench
