#include "realserver-agent/snapshot_reader.hpp"

#include <unistd.h>

#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "realserver-agent/cgroup_reader.hpp"
#include "realserver-agent/proc/boot_id.hpp"
#include "realserver-agent/proc/cpu_list.hpp"
#include "realserver-agent/proc/loadavg.hpp"
#include "realserver-agent/proc/meminfo.hpp"
#include "realserver-agent/proc/net_dev.hpp"
#include "realserver-agent/proc/pressure.hpp"
#include "realserver-agent/proc/uptime.hpp"

namespace lvs::agent {
namespace {

using Kind = Problem::Kind;

/// Reads the parts of one snapshot in turn.
class Reading {
 public:
  explicit Reading(const Root& root) : root_{root} {}

  Snapshot take(const std::string& drain_file) {
    read_stat();  // with the moment, as close to each other as can be
    const Machine machine{
        .online_cpus = online_cpus(), .memory_kb = read_memory(), .allowed_cpus = allowed_cpus()};
    read_limits(machine);
    read_boot_id();
    read_loadavg();
    read_pressure();
    read_network();
    read_disks();
    snapshot_.draining = !drain_file.empty() && root_.exists(drain_file.substr(1));
    return std::move(snapshot_);
  }

 private:
  void problem(Kind kind, std::string text) {
    snapshot_.problems.push_back({kind, std::move(text)});
  }
  void problem(Kind kind, const ParseError& error) {
    problem(kind, string_from_parse_error(error));
  }
  void unreadable(Kind kind, std::string_view file, int error) {
    problem(kind, std::string{file} + ": " + std::strerror(error));
  }

  void read_stat() {
    StatScanner scanner;
    const auto read = root_.read_pieces(
        "proc/stat", [&scanner](std::string_view piece) { return scanner.feed(piece); });
    read_moment();
    if (!read) return unreadable(Kind::cpu, "/proc/stat", read.error());
    auto stat = scanner.finish();
    if (!stat) return problem(Kind::cpu, stat.error());
    snapshot_.stat = std::move(*stat);
  }

  void read_moment() {
    if (root_.is_running_system()) {
      timespec now{};
      ::clock_gettime(CLOCK_BOOTTIME, &now);
      snapshot_.boottime_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                              static_cast<std::uint64_t>(now.tv_nsec);
      return;
    }
    const auto text = root_.read("proc/uptime");
    if (!text) return unreadable(Kind::time, "/proc/uptime", text.error());
    const auto uptime = uptime_ns_from_text(*text);
    if (!uptime) return problem(Kind::time, uptime.error());
    snapshot_.boottime_ns = *uptime;
  }

  /// Returns the machine's memory in kB; 0: unknown.
  std::uint64_t read_memory() {
    const auto text = root_.read("proc/meminfo");
    if (!text) {
      unreadable(Kind::memory, "/proc/meminfo", text.error());
      return 0;
    }
    const auto file = meminfo_from_text(*text);
    if (!file) {
      problem(Kind::memory, file.error());
      return 0;
    }
    const auto memory = memory_from_meminfo(*file, reserve_kb(*file));
    if (memory) {
      snapshot_.memory = *memory;
    } else {
      problem(Kind::memory, memory.error());
    }
    return file->mem_total;
  }

  [[nodiscard]] std::uint64_t reserve_kb(const MeminfoFile& file) const {
    if (file.mem_available) return 0;
    const auto zoneinfo = root_.read_if_there("proc/zoneinfo");
    const auto page_kb = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
    return zoneinfo ? reserve_pages_from_zoneinfo(*zoneinfo) * page_kb : 0;
  }

  [[nodiscard]] std::uint32_t online_cpus() const {
    if (!snapshot_.stat || snapshot_.stat->cpus.contains(all_cpus)) return 0;
    return static_cast<std::uint32_t>(snapshot_.stat->cpus.size());
  }

  [[nodiscard]] std::optional<std::uint32_t> allowed_cpus() const {
    const auto status = root_.read_if_there("proc/self/status");
    return status ? allowed_cpus_from_status(*status) : std::nullopt;
  }

  void read_limits(const Machine& machine) {
    agentproto::CgroupLimits limits{};
    if (const auto cpu = read_cpu_limit(root_, machine)) {
      limits.usage_us = cpu->usage_us;
      limits.cpus_x1000 = cpu->cpus_x1000;
    } else {
      problem(Kind::cpu, cpu.error());
      snapshot_.stat.reset();  // the machine's figures are not the container's
    }
    if (const auto memory = read_memory_limit(root_, machine)) {
      limits.memory_limit_kb = memory->limit_kb;
      limits.memory_used_kb = memory->used_kb;
    } else {
      problem(Kind::memory, memory.error());
      snapshot_.memory.reset();
    }
    if (limits != agentproto::CgroupLimits{}) snapshot_.cgroup = limits;
  }

  void read_boot_id() {
    // A fixture or a container may have none: then nothing tells two boots apart but the counters.
    const auto text = root_.read_if_there("proc/sys/kernel/random/boot_id");
    if (!text) return;
    const auto id = boot_id_from_text(*text);
    if (!id) return problem(Kind::boot_id, id.error());
    snapshot_.boot_id = *id;
  }

  void read_loadavg() {
    const auto text = root_.read_if_there("proc/loadavg");
    if (!text) return;
    const auto loadavg = loadavg_from_text(*text);
    if (!loadavg) return problem(Kind::run_queue, loadavg.error());
    snapshot_.processes = loadavg->processes;
    const auto& stat = snapshot_.stat;
    if (!stat || !stat->procs_running || !stat->procs_blocked) return;
    snapshot_.run_queue = agentproto::RunQueue{.load1_x100 = loadavg->load1_x100,
                                               .procs_running = *stat->procs_running,
                                               .procs_blocked = *stat->procs_blocked};
  }

  std::optional<PressureFile> read_pressure_of(std::string_view resource) {
    const std::string file = "proc/pressure/" + std::string{resource};
    const auto text = root_.read_if_there(file);  // none without CONFIG_PSI or with psi=0
    if (!text) return std::nullopt;
    const auto pressure = pressure_from_text("/" + file, *text);
    if (!pressure) {
      problem(Kind::pressure, pressure.error());
      return std::nullopt;
    }
    return *pressure;
  }

  void read_pressure() {
    const auto cpu = read_pressure_of("cpu");
    const auto memory = read_pressure_of("memory");
    const auto io = read_pressure_of("io");
    if (!cpu || !memory || !io) return;
    snapshot_.pressure = agentproto::Pressure{.cpu_some_us = cpu->some_us,
                                              .memory_some_us = memory->some_us,
                                              .memory_full_us = memory->full_us,
                                              .io_some_us = io->some_us,
                                              .io_full_us = io->full_us};
  }

  void read_network() {
    const auto text = root_.read_if_there("proc/net/dev");
    if (!text) return;
    auto interfaces = interfaces_from_text(*text);
    if (!interfaces) return problem(Kind::network, interfaces.error());
    for (Interface& interface : *interfaces) {
      const std::string directory = "sys/class/net/" + interface.name;
      interface.physical = root_.exists(directory + "/device");
      // -1 or EINVAL without a link.
      const auto speed = root_.read_if_there(directory + "/speed");
      if (speed) interface.speed_mbit = number_from_text(trimmed(*speed)).value_or(0);
    }
    snapshot_.network = network_from_interfaces(*interfaces);
  }

  void read_disks() {
    const auto text = root_.read_if_there("proc/diskstats");
    if (!text) return;
    auto disks = disk_times_from_text(*text);
    if (!disks) return problem(Kind::disk, disks.error());
    // Hardware, whole: no partition (not in /sys/block), no loop, RAM, device-mapper or MD device.
    std::erase_if(*disks, [this](const auto& disk) {
      return !root_.exists("sys/block/" + disk.first + "/device");
    });
    if (!disks->empty()) snapshot_.disks = std::move(*disks);
  }

  const Root& root_;
  Snapshot snapshot_{};
};

}  // namespace

Snapshot read_snapshot(const Root& root, const std::string& drain_file) {
  return Reading{root}.take(drain_file);
}

}  // namespace lvs::agent
