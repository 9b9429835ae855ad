#include <cstdint>
#include <string>

#include "realserver-agent/proc/meminfo.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;

TEST_CASE("meminfo: text that is not /proc/meminfo is refused") {
  const auto text = GENERATE(values<std::string>({
      "",
      "MemFree: 1 kB\n",
      "MemTotal: 0 kB\n",
      "MemTotal:\n",
      "MemTotal: many kB\n",
      "MemTotal: -1 kB\n",
      "MemTotal: 18446744073709551615 kB\n",
      "MemTotal: 5 kB\nMemAvailable: x kB\n",
  }));
  CAPTURE(text);
  CHECK_FALSE(meminfo_from_text(text));
}

TEST_CASE("meminfo: a total of 0 is shown, not called missing") {
  CHECK(string_from_parse_error(meminfo_from_text("MemTotal: 0 kB\n").error()) ==
        "/proc/meminfo: no memory at all: \"MemTotal: 0 kB\"");
  CHECK(string_from_parse_error(meminfo_from_text("MemFree: 1 kB\n").error()) ==
        "/proc/meminfo: no MemTotal");
}

TEST_CASE("meminfo: figures that make no sense together are refused") {
  const auto text = GENERATE(values<std::string>({
      "MemTotal: 100 kB\n",
      "MemTotal: 100 kB\nMemFree: 50 kB\n",
      "MemTotal: 100 kB\nMemFree: 50 kB\nActive(file): 10 kB\n",
      "MemTotal: 100 kB\nMemAvailable: 101 kB\n",
      "MemTotal: 100 kB\nMemAvailable: 50 kB\nHugetlb: 60 kB\n",
      "MemTotal: 100 kB\nMemAvailable: 0 kB\nHugetlb: 100 kB\n",
      "MemTotal: 100 kB\nMemAvailable: 0 kB\nHugePages_Total: 9007199254740993\n"
      "Hugepagesize: 2048 kB\n",
  }));
  CAPTURE(text);
  const auto file = meminfo_from_text(text);
  REQUIRE(file);
  CHECK_FALSE(memory_from_meminfo(*file, 0));
}

TEST_CASE("meminfo: lines that are not used are passed over") {
  const auto file = meminfo_from_text(
      "MemTotal:  100 kB\nSomething new\nMemAvailable:\t40 kB\nSwapTotal: 9 kB\nSwapFree: 8 kB");
  REQUIRE(file);
  const auto memory = memory_from_meminfo(*file, 1000);
  REQUIRE(memory);
  CHECK(*memory == lvs::agentproto::Memory{100, 40, 9, 8});
}

TEST_CASE("meminfo: without MemAvailable the reserve is taken off") {
  MeminfoFile file{.mem_total = 1000};
  file.mem_free = 100;
  file.cached = 500;
  file.shmem = 300;
  file.s_reclaimable = 10;
  CHECK(memory_from_meminfo(file, 0)->available_kb == 310);
  CHECK(memory_from_meminfo(file, 60)->available_kb == 250);
  CHECK(memory_from_meminfo(file, 9999)->available_kb == 0);
  file.active_file = 20;
  file.inactive_file = 30;
  CHECK(memory_from_meminfo(file, 60)->available_kb == 100);
}

TEST_CASE("meminfo: more shared than cached does not wrap around") {
  MeminfoFile file{.mem_total = 1000};
  file.mem_free = 100;
  file.cached = 50;
  file.shmem = 300;
  CHECK(memory_from_meminfo(file, 0)->available_kb == 0);
}

TEST_CASE("zoneinfo: text that is something else reserves nothing") {
  const auto text =
      GENERATE(values<std::string>({"", "\n\n", "Node", "high 5 pages", "protection: (x, y)"}));
  CAPTURE(text);
  CHECK(reserve_pages_from_zoneinfo(text) == (text == "high 5 pages" ? 5U : 0U));
}

TEST_CASE("zoneinfo: the reserve is the high watermark and the protection of every zone") {
  CHECK(reserve_pages_from_zoneinfo("Node 0, zone      DMA\n"
                                    "  per-node stats\n"
                                    "      nr_inactive_anon 100\n"
                                    "  pages free     3840\n"
                                    "        min      10\n"
                                    "        low      20\n"
                                    "        high     30\n"
                                    "        managed  3840\n"
                                    "        protection: (0, 1000, 70, 1000)\n"
                                    "  pagesets\n"
                                    "    cpu: 0\n"
                                    "              high:  378\n"
                                    "Node 0, zone   Normal\n"
                                    "        high     500\n"
                                    "        managed  100000\n"
                                    "        protection: (0, 0, 0, 0)\n"
                                    "Node 0, zone  Movable\n"
                                    "        high     50\n"
                                    "        managed  0\n"
                                    "        protection: (0, 0, 0, 0)\n") == 30 + 1000 + 500);
}
