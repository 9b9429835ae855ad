#pragma once

// /proc/stat (proc(5)): ticks per CPU and the run queue.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Ticks of one CPU since boot. guest and guest_nice are left out: the kernel counts them within
/// user and nice as well (account_guest_time, kernel/sched/cputime.c).
struct CpuTicks {
  std::uint64_t user{}, nice{}, system{}, idle{}, iowait{}, irq{}, softirq{}, steal{};

  friend bool operator==(const CpuTicks&, const CpuTicks&) = default;
};

/// Number of the `cpu` line where a file has no cpuN lines.
inline constexpr int all_cpus = -1;

struct StatFile {
  /// Online CPUs by their number. The summary line only where there is nothing else: it sums all
  /// possible CPUs, and for an offline one the kernel takes idle from another counter than before,
  /// so that the sum jumps either way.
  std::map<int, CpuTicks> cpus{};
  std::optional<std::uint32_t> procs_running{};
  std::optional<std::uint32_t> procs_blocked{};

  friend bool operator==(const StatFile&, const StatFile&) = default;
};

/// Reads /proc/stat in pieces of any size and keeps one short line at most: the intr line may
/// have hundreds of thousands of numbers and is passed over, not stored.
class StatScanner {
 public:
  /// Takes the next piece. False: nothing more is needed, reading may stop.
  bool feed(std::string_view piece);
  /// After the last piece.
  tl::expected<StatFile, ParseError> finish();

  /// Bytes of memory in use for the unfinished line.
  [[nodiscard]] std::size_t held() const { return line_.capacity(); }

 private:
  [[nodiscard]] bool is_done() const { return error_ || file_.procs_blocked; }
  void end_line();
  void read_cpu(std::string_view name, std::string_view numbers);

  /// A cpu line has ten numbers of at most 20 digits.
  static constexpr std::size_t longest_line = 256;

  std::string line_{};
  bool too_long_{};
  StatFile file_{};
  std::optional<CpuTicks> summary_{};
  std::optional<ParseError> error_{};
};

/// For text that is in memory already.
tl::expected<StatFile, ParseError> stat_from_text(std::string_view text);

}  // namespace lvs::agent
