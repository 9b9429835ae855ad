// Reading whole root directories.

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

#include "realserver-agent/root.hpp"
#include "realserver-agent/snapshot_reader.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::agent;

namespace {

void write_minimum(const lvs::testing::ScratchFolder& tree) {
  tree.write("proc/stat", "cpu0 1 2 3 4\ncpu1 1 2 3 4\nprocs_running 2\nprocs_blocked 1\n");
  tree.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
  tree.write("proc/uptime", "100.50 3.00\n");
}

bool has_problem(const Snapshot& snapshot, Problem::Kind kind) {
  return std::ranges::any_of(snapshot.problems,
                             [kind](const Problem& problem) { return problem.kind == kind; });
}

Snapshot read(const lvs::testing::ScratchFolder& tree) {
  return read_snapshot(Root{tree.path()}, "/etc/drain");
}

}  // namespace

TEST_CASE("root: a file that is not there or too long is an error") {
  const lvs::testing::ScratchFolder tree;
  const Root root{tree.path()};
  CHECK(root.read("proc/stat").error() == ENOENT);
  CHECK_FALSE(root.read_if_there("proc/stat").has_value());
  tree.write("long", std::string((std::size_t{4} << 20U) + 1, 'x'));
  CHECK(root.read("long").error() == EFBIG);
  tree.write("fits", std::string(100000, 'x'));
  CHECK(root.read("fits").value().size() == 100000);
}

TEST_CASE("root: only the slash is the running system") {
  CHECK(Root{"/"}.is_running_system());
  CHECK(Root{"//"}.is_running_system());
  CHECK_FALSE(Root{"/tmp"}.is_running_system());
}

TEST_CASE("snapshot: an empty directory has nothing and says so") {
  const lvs::testing::ScratchFolder tree;
  const auto snapshot = read(tree);
  CHECK_FALSE(snapshot.stat.has_value());
  CHECK_FALSE(snapshot.memory.has_value());
  CHECK(has_problem(snapshot, Problem::Kind::cpu));
  CHECK(has_problem(snapshot, Problem::Kind::memory));
  CHECK(has_problem(snapshot, Problem::Kind::time));
}

TEST_CASE("snapshot: one broken file does not touch the others") {
  struct Case {
    std::string file;
    Problem::Kind kind;
  };
  const auto [file, kind] = GENERATE(values<Case>({
      {"proc/stat", Problem::Kind::cpu},
      {"proc/meminfo", Problem::Kind::memory},
      {"proc/uptime", Problem::Kind::time},
      {"proc/loadavg", Problem::Kind::run_queue},
      {"proc/pressure/io", Problem::Kind::pressure},
      {"proc/net/dev", Problem::Kind::network},
      {"proc/diskstats", Problem::Kind::disk},
      {"proc/sys/kernel/random/boot_id", Problem::Kind::boot_id},
  }));
  CAPTURE(file);
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write(file, "eth0: broken\n");
  const auto snapshot = read(tree);
  REQUIRE(snapshot.problems.size() == 1);
  CHECK(snapshot.problems[0].kind == kind);
  CHECK(snapshot.stat.has_value() == (kind != Problem::Kind::cpu));
  CHECK(snapshot.memory.has_value() == (kind != Problem::Kind::memory));
}

TEST_CASE("snapshot: files that a kernel need not have are no problem") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  const auto snapshot = read(tree);
  CHECK(snapshot.problems.empty());
  CHECK(snapshot.boottime_ns == 100'500'000'000);
  CHECK_FALSE(snapshot.pressure.has_value());
  CHECK_FALSE(snapshot.cgroup.has_value());
  CHECK_FALSE(snapshot.draining);
}

TEST_CASE("snapshot: everything that a kernel can have is read") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write("proc/loadavg", "1.50 1.00 1.00 3/211 999\n");
  tree.write("proc/sys/kernel/random/boot_id", "01000000-0000-0000-0000-000000000002\n");
  for (const std::string resource : {"cpu", "memory", "io"}) {
    tree.write("proc/pressure/" + resource, "some avg10=0.00 total=7\nfull avg10=0.00 total=5\n");
  }
  tree.write("proc/net/dev", "eth0: 7 0 0 0 0 0 0 0 9 0\nbr0: 100 0 0 0 0 0 0 0 100 0\n");
  tree.write("sys/class/net/eth0/device/vendor", "");
  tree.write("sys/class/net/eth0/speed", "1000\n");
  tree.write("sys/class/net/br0/speed", "-1\n");
  tree.write("proc/diskstats",
             "8 0 sda 1 2 3 4 5 6 7 8 9 100 11\n"
             "8 1 sda1 1 2 3 4 5 6 7 8 9 900 11\n"
             "7 0 loop0 1 2 3 4 5 6 7 8 9 900 11\n");
  tree.write("sys/block/sda/device/vendor", "");
  tree.write("sys/block/loop0/size", "0");
  tree.write("etc/drain", "");

  const auto snapshot = read(tree);
  CHECK(snapshot.problems.empty());
  CHECK(snapshot.boot_id[0] == 1);
  CHECK(snapshot.boot_id[15] == 2);
  CHECK(snapshot.run_queue == lvs::agentproto::RunQueue{150, 2, 1});
  CHECK(snapshot.processes == 211U);
  CHECK(snapshot.pressure == lvs::agentproto::Pressure{7, 7, 5, 7, 5});
  CHECK(snapshot.network == lvs::agentproto::Network{7, 9, 1'000'000'000});
  CHECK(snapshot.disks == DiskTimes{{"sda", 100}});
  CHECK(snapshot.draining);
}

TEST_CASE("snapshot: a unit's own limits on a host are not the host's") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  const std::string unit = "sys/fs/cgroup/system.slice/realserver-agent.service/";
  tree.write("proc/self/cgroup", "0::/system.slice/realserver-agent.service\n");
  tree.write("proc/self/status", "Cpus_allowed_list:\t0\n");
  tree.write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n");
  tree.write("sys/fs/cgroup/cpuset.cpus.effective", "0\n");
  tree.write("sys/fs/cgroup/cpu.stat", "usage_usec 1000\n");
  tree.write(unit + "cgroup.type", "domain\n");
  tree.write(unit + "cpu.max", "50000 100000\n");
  tree.write(unit + "memory.max", "33554432\n");
  tree.write(unit + "memory.current", "1000\n");
  const auto snapshot = read(tree);
  CHECK(snapshot.problems.empty());
  CHECK_FALSE(snapshot.cgroup.has_value());
}

TEST_CASE("snapshot: limits at the root of the mount are a container's") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n");
  tree.write("sys/fs/cgroup/cgroup.type", "domain\n");
  tree.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  tree.write("sys/fs/cgroup/cpu.stat", "usage_usec 1000\n");
  tree.write("sys/fs/cgroup/memory.max", "512000\n");
  tree.write("sys/fs/cgroup/memory.current", "204800\n");
  tree.write("sys/fs/cgroup/memory.stat", "inactive_file 102400\n");
  CHECK(read(tree).cgroup == lvs::agentproto::CgroupLimits{1000, 500, 500, 100});
}

TEST_CASE("snapshot: limits of version 1 are a container's under either mount name") {
  const std::string cpu = GENERATE(values<std::string>({"cpu", "cpu,cpuacct"}));
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  const std::string mount = "sys/fs/cgroup/";
  tree.write(mount + cpu + "/cpu.cfs_quota_us", "100000\n");
  tree.write(mount + cpu + "/cpu.cfs_period_us", "100000\n");
  tree.write(mount + (cpu == "cpu" ? "cpuacct" : cpu) + "/cpuacct.usage", "5000000\n");
  tree.write(mount + "cpuset/cpuset.cpus", "0-1\n");
  tree.write(mount + "memory/memory.limit_in_bytes", "512000\n");
  tree.write(mount + "memory/memory.usage_in_bytes", "204800\n");
  tree.write(mount + "memory/memory.stat", "total_inactive_file 102400\n");
  CHECK(read(tree).cgroup == lvs::agentproto::CgroupLimits{5000, 1000, 500, 100});
}

TEST_CASE("snapshot: a limit that cannot be used makes its measure unknown and not the other") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write("sys/fs/cgroup/cgroup.controllers", "");
  tree.write("sys/fs/cgroup/memory.max", "max\n");
  SECTION("no CPU time") {
    tree.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  }
  SECTION("no quota") {
    tree.write("sys/fs/cgroup/cpu.max", "broken\n");
  }
  const auto snapshot = read(tree);
  CHECK(has_problem(snapshot, Problem::Kind::cpu));
  CHECK_FALSE(snapshot.stat.has_value());
  CHECK(snapshot.memory.has_value());
}

TEST_CASE("snapshot: a memory limit without the use makes M unknown and not C") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write("sys/fs/cgroup/cgroup.controllers", "");
  tree.write("sys/fs/cgroup/memory.max", "512000\n");
  const auto snapshot = read(tree);
  CHECK(has_problem(snapshot, Problem::Kind::memory));
  CHECK_FALSE(snapshot.memory.has_value());
  CHECK(snapshot.stat.has_value());
}

TEST_CASE("snapshot: without MemAvailable the zones' reserve is taken off") {
  const lvs::testing::ScratchFolder tree;
  write_minimum(tree);
  tree.write(
      "proc/meminfo",
      "MemTotal: 1000000 kB\nMemFree: 500000 kB\nActive(file): 0 kB\nInactive(file): 0 kB\n");
  CHECK(read(tree).memory->available_kb == 500000);
  tree.write("proc/zoneinfo", "Node 0, zone Normal\n high 10\n managed 1000\n");
  CHECK(read(tree).memory->available_kb < 500000);
}

TEST_CASE("snapshot: the running system is read") {
  const auto snapshot = read_snapshot(Root{"/"}, "");
  REQUIRE(snapshot.stat.has_value());
  CHECK(snapshot.memory.has_value());
  CHECK(snapshot.boottime_ns > 0);
  CHECK_FALSE(snapshot.draining);
}
