#include "realserver-agent/proc/meminfo.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lvs::agent {
namespace {

constexpr std::string_view file_name = "/proc/meminfo";

using Field = std::optional<std::uint64_t> MeminfoFile::*;

constexpr std::array<std::pair<std::string_view, Field>, 13> fields{{
    {"MemFree:", &MeminfoFile::mem_free},
    {"MemAvailable:", &MeminfoFile::mem_available},
    {"Buffers:", &MeminfoFile::buffers},
    {"Cached:", &MeminfoFile::cached},
    {"Shmem:", &MeminfoFile::shmem},
    {"SReclaimable:", &MeminfoFile::s_reclaimable},
    {"Active(file):", &MeminfoFile::active_file},
    {"Inactive(file):", &MeminfoFile::inactive_file},
    {"SwapTotal:", &MeminfoFile::swap_total},
    {"SwapFree:", &MeminfoFile::swap_free},
    {"Hugetlb:", &MeminfoFile::hugetlb},
    {"HugePages_Total:", &MeminfoFile::hugepages_total},
    {"Hugepagesize:", &MeminfoFile::hugepage_size},
}};

/// Greater than any machine and small enough that sums and products of a few cannot overflow.
constexpr std::uint64_t most = std::uint64_t{1} << 54U;

std::uint64_t less(std::uint64_t value, std::uint64_t taken) {
  return value - std::min(value, taken);
}

/// What the kernel takes for available where it does not say so itself.
std::optional<std::uint64_t> estimated_available(const MeminfoFile& file) {
  if (!file.mem_free) return std::nullopt;
  const std::uint64_t reclaimable = file.s_reclaimable.value_or(0);
  if (file.active_file && file.inactive_file) {
    return *file.mem_free + *file.active_file + *file.inactive_file + reclaimable;
  }
  if (!file.cached) return std::nullopt;
  return less(*file.mem_free + file.buffers.value_or(0) + *file.cached, file.shmem.value_or(0)) +
         reclaimable;
}

std::uint64_t huge_page_pool(const MeminfoFile& file) {
  if (file.hugetlb) return *file.hugetlb;
  const std::uint64_t count = file.hugepages_total.value_or(0);
  const std::uint64_t size_kb = file.hugepage_size.value_or(0);
  if (size_kb != 0 && count > most / size_kb) return most;
  return count * size_kb;
}

struct Zone {
  std::uint64_t high{}, managed{most}, protection{};

  [[nodiscard]] std::uint64_t reserve() const { return std::min(high + protection, managed); }
};

/// "protection: (0, 1769, 31987, 31987)" -> 31987
std::uint64_t greatest_of_list(std::string_view rest) {
  std::uint64_t greatest = 0;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    word.remove_prefix(word.starts_with('(') ? 1 : 0);
    word.remove_suffix(word.ends_with(')') || word.ends_with(',') ? 1 : 0);
    greatest = std::max(greatest, number_from_text(word).value_or(0));
  }
  return std::min(greatest, most);
}

}  // namespace

tl::expected<MeminfoFile, ParseError> meminfo_from_text(std::string_view text) {
  MeminfoFile file{};
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = line;
    const std::string_view name = take_word(rest);
    const auto* const field = std::find_if(fields.begin(), fields.end(),
                                           [&](auto& entry) { return entry.first == name; });
    if (field == fields.end() && name != "MemTotal:") continue;

    const auto number = number_from_text(take_word(rest));
    if (!number || *number > most) return parse_error(file_name, "no number of kB", line);

    if (field == fields.end()) {
      if (*number == 0) return parse_error(file_name, "no memory at all", line);
      file.mem_total = *number;
    } else {
      file.*(field->second) = *number;
    }
  }
  if (file.mem_total == 0) return parse_error(file_name, "no MemTotal");
  return file;
}

std::uint64_t reserve_pages_from_zoneinfo(std::string_view text) {
  std::uint64_t sum = 0;
  Zone zone{};
  while (!text.empty()) {
    std::string_view rest = take_line(text);
    const std::string_view name = take_word(rest);
    const auto number = [&rest] {
      return std::min(number_from_text(take_word(rest)).value_or(0), most);
    };
    if (name == "Node") {
      sum += zone.reserve();
      zone = Zone{};
    } else if (name == "high") {
      zone.high = number();
    } else if (name == "managed") {
      zone.managed = number();
    } else if (name == "protection:") {
      zone.protection = greatest_of_list(rest);
    }
  }
  return sum + zone.reserve();
}

tl::expected<agentproto::Memory, ParseError> memory_from_meminfo(const MeminfoFile& file,
                                                                 std::uint64_t reserve_kb) {
  const std::uint64_t total = less(file.mem_total, huge_page_pool(file));
  if (total == 0) return parse_error(file_name, "huge pages take all memory");

  std::uint64_t available = 0;
  if (file.mem_available) {
    available = *file.mem_available;
  } else if (const auto estimate = estimated_available(file)) {
    available = less(*estimate, reserve_kb);
  } else {
    return parse_error(file_name, "neither MemAvailable nor what it could be made of");
  }
  if (available > total) return parse_error(file_name, "more memory available than there is");

  return agentproto::Memory{.total_kb = total,
                            .available_kb = available,
                            .swap_total_kb = file.swap_total.value_or(0),
                            .swap_free_kb = file.swap_free.value_or(0)};
}

}  // namespace lvs::agent
