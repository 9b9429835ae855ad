#include <cstdint>
#include <optional>
#include <string>

#include "realserver-agent/cgroup/cgroup.hpp"
#include "realserver-agent/cgroup/cgroup_v1.hpp"
#include "realserver-agent/cgroup/cgroup_v2.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;

TEST_CASE("cgroup v2: files that make no sense are refused") {
  const auto cpu_max =
      GENERATE(values<std::string>({"", "50000", "x 100000", "50000 0", "max", "-1 100000"}));
  CAPTURE(cpu_max);
  CHECK(cpu_from_v2({.cpu_max = cpu_max}).has_value() == (cpu_max == "max"));
  CHECK_FALSE(cpu_from_v2({.cpu_max = "max 100000", .cpuset_cpus = "x"}));
  CHECK_FALSE(memory_from_v2({.memory_max = "x"}));
  CHECK_FALSE(memory_from_v2({.memory_max = "1000", .memory_current = ""}));
}

TEST_CASE("cgroup v2: the real root has a cpuset and no limits") {
  const auto cpu = cpu_from_v2({.cpu_stat = "usage_usec 5\n", .cpuset_cpus_effective = "0-1"});
  REQUIRE(cpu);
  CHECK(*cpu == CgroupCpu{});
  CHECK(memory_from_v2({.memory_stat = "inactive_file 5\n"}).value() == CgroupMemory{});
}

TEST_CASE("cgroup v2: quota, cpuset and use of a container") {
  const auto cpu = cpu_from_v2({.cpu_max = "50000 100000\n",
                                .cpu_stat = "usage_usec 10500000\nuser_usec 1\n",
                                .cpuset_cpus = "\n",
                                .cpuset_cpus_effective = "0-15\n"});
  REQUIRE(cpu);
  CHECK(*cpu == CgroupCpu{true, 500, 16, 10500000});
  CHECK(memory_from_v2({.memory_max = "2147483648\n",
                        .memory_current = "2095054848\n",
                        .memory_stat = "anon 1\ninactive_file 1468006400\n"})
            .value() == CgroupMemory{2147483648, 2095054848, 1468006400});
  CHECK(memory_from_v2({.memory_max = "max\n", .memory_current = "1\n"}).value() == CgroupMemory{});
}

TEST_CASE("cgroup v1: files that make no sense are refused") {
  CHECK_FALSE(cpu_from_v1({.cfs_quota_us = "x"}));
  CHECK_FALSE(cpu_from_v1({.cfs_quota_us = "50000"}));
  CHECK_FALSE(cpu_from_v1({.cfs_quota_us = "50000", .cfs_period_us = "0"}));
  CHECK_FALSE(cpu_from_v1({.cpuacct_usage = "x"}));
  CHECK_FALSE(cpu_from_v1({.cpuset_cpus = "1-0"}));
  CHECK_FALSE(memory_from_v1({.limit_in_bytes = "-1"}));
  CHECK_FALSE(memory_from_v1({.limit_in_bytes = "4096", .usage_in_bytes = "x"}));
}

TEST_CASE("cgroup v1: the real root says that there is no limit") {
  CHECK(cpu_from_v1({.cfs_quota_us = "-1\n", .cfs_period_us = "100000\n"}).value() == CgroupCpu{});
  CHECK(memory_from_v1({.limit_in_bytes = "9223372036854771712\n", .usage_in_bytes = "5\n"})
            .value() == CgroupMemory{});
  CHECK(memory_from_v1({}).value() == CgroupMemory{});
}

TEST_CASE("cgroup v1: quota, cpuset and use of a container") {
  CHECK(cpu_from_v1({.cfs_quota_us = "150000\n",
                     .cfs_period_us = "100000\n",
                     .cpuacct_usage = "2500000\n",
                     .cpuset_cpus = "0-7\n",
                     .effective_cpus = "0-3\n"})
            .value() == CgroupCpu{true, 1500, 4, 2500});
  CHECK(memory_from_v1({.limit_in_bytes = "1048576\n",
                        .usage_in_bytes = "524288\n",
                        .memory_stat = "inactive_file 1\ntotal_inactive_file 262144\n"})
            .value() == CgroupMemory{1048576, 524288, 262144});
}

TEST_CASE("cgroup: the smallest of quota and cpuset and affinity is the CPU limit") {
  struct Case {
    std::string what;
    CgroupCpu cpu;
    Machine machine;
    std::uint64_t limit;
  };
  const Machine sixteen{.online_cpus = 16};
  const auto [what, cpu, machine, limit] = GENERATE_COPY(values<Case>({
      {"no limit", {}, sixteen, 0},
      {"quota", {true, 500, 16, 0}, sixteen, 500},
      {"all CPUs by quota", {true, 16000, 16, 0}, sixteen, 16000},
      {"more than all by quota", {true, 17000, 16, 0}, sixteen, 0},
      {"cpuset", {true, std::nullopt, 4, 0}, sixteen, 4000},
      {"all CPUs by cpuset", {true, std::nullopt, 16, 0}, sixteen, 0},
      {"empty cpuset", {true, std::nullopt, 0, 0}, sixteen, 0},
      {"cpuset below quota", {true, 8000, 4, 0}, sixteen, 4000},
      {"affinity in a container", {true, 8000, 4, 0}, {16, 0, 2}, 2000},
      {"affinity on a host", {false, std::nullopt, std::nullopt, 0}, {16, 0, 2}, 0},
      {"machine unknown", {true, 500, 4, 0}, {}, 500},
  }));
  CAPTURE(what);
  CHECK(cpu_limit_x1000(cpu, machine) == limit);
}

TEST_CASE("cgroup: a memory limit is one when the machine has as much") {
  const Machine machine{.memory_kb = 1000};
  const auto [bytes, limit_kb] = GENERATE(table<std::optional<std::uint64_t>, std::uint64_t>(
      {{std::nullopt, 0}, {0, 1}, {512 * 1024, 512}, {1000 * 1024, 1000}, {1001 * 1024, 0}}));
  CHECK(memory_limit_kb({.limit_bytes = bytes}, machine) == limit_kb);
}

TEST_CASE("cgroup: memory in use is without the cache that is given back on demand") {
  CHECK_FALSE(memory_used_kb({}).has_value());
  CHECK(memory_used_kb({.current_bytes = 4096, .inactive_file_bytes = 1024}) == 3U);
  CHECK(memory_used_kb({.current_bytes = 1024, .inactive_file_bytes = 4096}) == 0U);
}
