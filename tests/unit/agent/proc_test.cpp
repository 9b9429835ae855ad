// The small files of /proc.

#include <cstdint>
#include <optional>
#include <string>

#include "realserver-agent/proc/boot_id.hpp"
#include "realserver-agent/proc/cpu_list.hpp"
#include "realserver-agent/proc/diskstats.hpp"
#include "realserver-agent/proc/loadavg.hpp"
#include "realserver-agent/proc/net_dev.hpp"
#include "realserver-agent/proc/pressure.hpp"
#include "realserver-agent/proc/text.hpp"
#include "realserver-agent/proc/uptime.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;

TEST_CASE("text: what is no number gives none") {
  const auto text = GENERATE(
      values<std::string>({"", " 1", "1 ", "+1", "-1", "0x1", "1.0", "18446744073709551616"}));
  CAPTURE(text);
  CHECK_FALSE(number_from_text(text));
}

TEST_CASE("text: decimal fractions become hundredths") {
  const auto [text, value] = GENERATE(
      table<std::string, std::optional<std::uint64_t>>({{"", std::nullopt},
                                                        {".", std::nullopt},
                                                        {"1.", std::nullopt},
                                                        {".5", std::nullopt},
                                                        {"1.x", std::nullopt},
                                                        {"-1.00", std::nullopt},
                                                        {"1.-5", std::nullopt},
                                                        {"18446744073709551615", std::nullopt},
                                                        {"0", 0},
                                                        {"7", 700},
                                                        {"914.37", 91437},
                                                        {"1.5", 150},
                                                        {"1.999", 199}}));
  CAPTURE(text);
  CHECK(hundredths_from_text(text) == value);
}

TEST_CASE("uptime: text that is no uptime is refused") {
  const auto text = GENERATE(values<std::string>(
      {"", "\n", "x 1", "-1.00 2.00", "1e9", "1,5", "99999999999999999.00 1.00"}));
  CAPTURE(text);
  CHECK_FALSE(uptime_ns_from_text(text));
}

TEST_CASE("uptime: the first number counts") {
  CHECK(uptime_ns_from_text("914.37 800.00\n").value() == 914'370'000'000);
  CHECK(uptime_ns_from_text("0.00").value() == 0);
}

TEST_CASE("loadavg: text that is no load average is refused") {
  const auto text = GENERATE(values<std::string>(
      {"", "0.50", "0.50 0.40 0.30", "0.50 0.40 0.30 5 100", "0.50 0.40 0.30 1/x 100",
       "x 0.40 0.30 1/2 100", "99999999.00 0 0 1/2 3", "0.5 0 0 1/4294967296 3"}));
  CAPTURE(text);
  CHECK_FALSE(loadavg_from_text(text));
}

TEST_CASE("loadavg: load and number of processes") {
  CHECK(loadavg_from_text("7.95 2.65 1.06 9/193 17717\n").value() == LoadavgFile{795, 193});
}

TEST_CASE("pressure: text that is no pressure is refused") {
  const auto text = GENERATE(
      values<std::string>({"", "full avg10=0.00 total=5\n", "some avg10=0.00\n", "some total=\n",
                           "some total=x\n", "some total=1\nfull total=-1\n"}));
  CAPTURE(text);
  CHECK_FALSE(pressure_from_text("/proc/pressure/cpu", text));
}

TEST_CASE("pressure: totals with and without a full line") {
  CHECK(pressure_from_text("",
                           "some avg10=1.00 avg60=0.00 avg300=0.00 total=123\n"
                           "full avg10=0.00 avg60=0.00 avg300=0.00 total=45\n")
            .value() == PressureFile{123, 45});
  CHECK(pressure_from_text("", "some avg10=1.00 avg60=0.00 avg300=0.00 total=123").value() ==
        PressureFile{123, 0});
}

TEST_CASE("net dev: lines without counters are refused") {
  const auto text = GENERATE(
      values<std::string>({"eth0:\n", "eth0: 1 2 3 4 5 6 7 8\n", "eth0: x 2 3 4 5 6 7 8 9\n",
                           ": 1 2 3 4 5 6 7 8 9\n", "eth0: 1 2 3 4 5 6 7 8 -9\n"}));
  CAPTURE(text);
  CHECK_FALSE(interfaces_from_text(text));
}

TEST_CASE("net dev: received and sent bytes of each interface") {
  const auto interfaces = interfaces_from_text(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
      "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
      "eth0:7 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n"
      "eth0:1: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n");
  REQUIRE(interfaces);
  REQUIRE(interfaces->size() == 3);
  CHECK((*interfaces)[0].name == "lo");
  CHECK((*interfaces)[1] == Interface{.name = "eth0", .received_bytes = 7, .sent_bytes = 9});
  CHECK((*interfaces)[2].name == "eth0:1");
}

TEST_CASE("net dev: hardware is summed and where there is none all but lo") {
  Interface lo{.name = "lo", .received_bytes = 1000, .sent_bytes = 1000};
  Interface eth0{"eth0", 1, 2, true, 1000};
  Interface eth1{"eth1", 10, 20, true, 0};
  Interface bond{"bond0", 11, 22, false, 1000};
  CHECK(network_from_interfaces({lo, eth0, eth1, bond}) ==
        lvs::agentproto::Network{11, 22, 1'000'000'000});
  CHECK(network_from_interfaces({lo, bond}) == lvs::agentproto::Network{11, 22, 1'000'000'000});
  CHECK(network_from_interfaces({}) == lvs::agentproto::Network{});
}

TEST_CASE("diskstats: lines that are cut off are refused") {
  const auto text = GENERATE(values<std::string>(
      {"8\n", "8 0 sda\n", "8 0 sda 1 2 3 4 5 6 7 8 9\n", "8 0 sda 1 2 3 4 5 6 7 8 9 x\n"}));
  CAPTURE(text);
  CHECK_FALSE(disk_times_from_text(text));
}

TEST_CASE("diskstats: column 13 by name") {
  CHECK(disk_times_from_text("   8       0 sda 1 2 3 4 5 6 7 8 9 100 11\n"
                             "   8       1 sda1 1 2 3 4 5 6 7 8 9 50 11 12 13 14 15\n\n")
            .value() == DiskTimes{{"sda", 100}, {"sda1", 50}});
  CHECK(disk_times_from_text("").value().empty());
}

TEST_CASE("boot id: text that is no UUID is refused") {
  const auto text = GENERATE(values<std::string>(
      {"", "\n", "00112233-4455-6677-8899-aabbccddee", "00112233-4455-6677-8899-aabbccddeeff0",
       "00112233-4455-6677-8899-aabbccddeegg", "0x112233-4455-6677-8899-aabbccddeeff"}));
  CAPTURE(text);
  CHECK_FALSE(boot_id_from_text(text));
}

TEST_CASE("boot id: 16 bytes in the order of the text") {
  CHECK(boot_id_from_text("00112233-4455-6677-8899-aabbccddeeff\n").value() ==
        lvs::agentproto::BootId{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa,
                                0xbb, 0xcc, 0xdd, 0xee, 0xff});
}

TEST_CASE("cpu list: counts what the list names and nothing else") {
  const auto [text, count] =
      GENERATE(table<std::string, std::optional<std::uint32_t>>({{"x", std::nullopt},
                                                                 {"3-1", std::nullopt},
                                                                 {"1-", std::nullopt},
                                                                 {"-1", std::nullopt},
                                                                 {"0,,1", std::nullopt},
                                                                 {"0-99999999999", std::nullopt},
                                                                 {"", 0},
                                                                 {"\n", 0},
                                                                 {"0\n", 1},
                                                                 {"0-3", 4},
                                                                 {"0-3,8,10-11\n", 7}}));
  CAPTURE(text);
  CHECK(count_of_cpu_list(text) == count);
}

TEST_CASE("cpu list: the affinity mask is a line of the status file") {
  CHECK(allowed_cpus_from_status("Name:\tcat\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n") == 2U);
  CHECK_FALSE(allowed_cpus_from_status("Name:\tcat\n").has_value());
  CHECK_FALSE(allowed_cpus_from_status("Cpus_allowed_list:\tx\n").has_value());
}
