#include "monitorctl/proc_ip_vs.hpp"

#include <sys/utsname.h>
#include <filesystem>
#include <string>
#include <tuple>

#include "monitorctl/ipvsadm_format.hpp"
#include "monitorctl/ipvsadm_order.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::service_key;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

const std::string head =
    "IP Virtual Server version 1.2.1 (size=4096)\n"
    "Prot LocalAddress:Port Scheduler Flags\n"
    "  -> RemoteAddress:Port Forward Weight ActiveConn InActConn\n";

}  // namespace

TEST_CASE("proc ip_vs: what is not the kernel's text is refused with line and text") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"", "/proc/net/ip_vs is empty"},
      {"\n", "/proc/net/ip_vs:1: not understood: "},
      {"IP Virtual Server version 1.2 (size=4096)\n",
       "/proc/net/ip_vs:1: not understood: IP Virtual Server version 1.2 (size=4096)"},
      {"IP Virtual Server version 1.2.x (size=4096)\n",
       "/proc/net/ip_vs:1: not understood: IP Virtual Server version 1.2.x (size=4096)"},
      {"IP Virtual Server version 1.2.1 (size=)\n",
       "/proc/net/ip_vs:1: not understood: IP Virtual Server version 1.2.1 (size=)"},
      {"IP Virtual Server version 1.2.1 (size=1)\nsomething\n",
       "/proc/net/ip_vs:2: not understood: something"},
      {head + "TCP  0A090909:0050\n", "/proc/net/ip_vs:4: not understood: TCP  0A090909:0050"},
      {head + "TCP  0A0909:0050 wrr\n", "/proc/net/ip_vs:4: not understood: TCP  0A0909:0050 wrr"},
      {head + "TCP  0A090909:50 wrr\n", "/proc/net/ip_vs:4: not understood: TCP  0A090909:50 wrr"},
      {head + "GRE  0A090909:0050 wrr\n",
       "/proc/net/ip_vs:4: not understood: GRE  0A090909:0050 wrr"},
      {head + "FWM  00000000 wrr\n", "/proc/net/ip_vs:4: not understood: FWM  00000000 wrr"},
      {head + "TCP  [fd00::9:0050 wrr\n",
       "/proc/net/ip_vs:4: not understood: TCP  [fd00::9:0050 wrr"},
      {head + "TCP  0A090909:0050 wrr persistent 360\n",
       "/proc/net/ip_vs:4: not understood: TCP  0A090909:0050 wrr persistent 360"},
      {head + "TCP  0A090909:0050 wrr persistent x FFFFFF00\n",
       "/proc/net/ip_vs:4: not understood: TCP  0A090909:0050 wrr persistent x FFFFFF00"},
      {head + "  -> 0A00000B:0050 Masq 1 0 0\n",  // no service before it
       "/proc/net/ip_vs:4: not understood:   -> 0A00000B:0050 Masq 1 0 0"},
      {head + "TCP  0A090909:0050 rr\n  -> 0A00000B:0050 Masq 1 0\n",
       "/proc/net/ip_vs:5: not understood:   -> 0A00000B:0050 Masq 1 0"},
      {head + "TCP  0A090909:0050 rr\n  -> 0A00000B:0050 Odd 1 0 0\n",
       "/proc/net/ip_vs:5: not understood:   -> 0A00000B:0050 Odd 1 0 0"},
      {head + "TCP  0A090909:0050 rr\n  -> 0A00000B:0050 Masq -1 0 0\n",
       "/proc/net/ip_vs:5: not understood:   -> 0A00000B:0050 Masq -1 0 0"},
  }));
  const auto parsed = proc_table_from_text(text, 100);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error() == error);
}

TEST_CASE("proc ip_vs: a captured table reads as ipvsadm lists it") {
  auto table = proc_table_from_text(golden("ipvsadm/proc_ip_vs.txt"), 100).value();
  CHECK(table.info == lvs::ipvs::KernelInfo{0x010201, 4096});
  CHECK(table.timeouts_known);
  sort_as_ipvsadm(table.services);
  // Captured after the first destination had become Route with weight 50; no sh flags in /proc.
  auto expected = golden("ipvsadm/list.txt");
  const auto replace = [&expected](const std::string& from, const std::string& to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  replace("Masq    100 ", "Route   50  ");
  replace(" (sh-fallback,sh-port)", "");
  CHECK(version_line(table.info) + listing_text(table.services, {}) == expected);
}

TEST_CASE("proc ip_vs: an empty table is no error") {
  const auto table = proc_table_from_text(head, 100).value();
  CHECK(table.services.empty());
}

TEST_CASE("proc ip_vs: persistence needs the tick rate") {
  const auto text = head + "FWM  0000000A wlc persistent 75000 FFFFFFFF\n";
  CHECK(proc_table_from_text(text, 250)->services[0].service.timeout_s == 300);
  const auto unknown = proc_table_from_text(text, 0).value();
  CHECK(unknown.services[0].service.timeout_s == 0);
  CHECK_FALSE(unknown.timeouts_known);
}

TEST_CASE("proc ip_vs: a mark is of the family of its destinations and prefixes are swapped") {
  const auto table = proc_table_from_text(
      head +
          "FWM  0000000A wlc persistent 100 40000000\n"
          "  -> [fd00:0000:0000:0000:0000:0000:0000:0011]:0000      Route   1      2          3\n"
          "TCP  [fd00:0000:0000:0000:0000:0000:0000:0009]:01BB wlc persistent 100 80000000\n",
      100);
  REQUIRE(table.has_value());
  const auto& mark = table->services[0];
  CHECK(mark.service.key == service_key("fwm6:10"));
  CHECK(mark.destinations[0].active_connections == 2);
  CHECK(mark.destinations[0].inactive_connections == 3);
  CHECK(table->services[1].service.netmask == 128);
}

TEST_CASE("proc ip_vs: the tick rate is in the kernel's configuration") {
  CHECK_FALSE(ticks_per_second_from_config(""));
  CHECK_FALSE(ticks_per_second_from_config("\nCONFIG_HZ=\n"));
  CHECK_FALSE(ticks_per_second_from_config("\nCONFIG_HZ=0\n"));
  CHECK_FALSE(ticks_per_second_from_config("\n# CONFIG_HZ=100\n"));
  CHECK(ticks_per_second_from_config("CONFIG_HZ_250=y\nCONFIG_HZ=250\nCONFIG_X=y\n") == 250U);
  CHECK(ticks_per_second_from_config("x\nCONFIG_HZ=1000") == 1000U);
}

TEST_CASE("proc ip_vs: the files are read below a root") {
  const ScratchFolder root;
  CHECK(read_proc_table(root.file("")).error() ==
        root.file("") + "/proc/net/ip_vs: No such file or directory");
  std::filesystem::create_directories(root.file("proc/net"));
  std::filesystem::create_directories(root.file("boot"));
  write_text(root.file("proc/net/ip_vs"), golden("ipvsadm/proc_ip_vs.txt"));
  CHECK_FALSE(read_proc_table(root.file("")).value().timeouts_known);
  utsname names{};
  REQUIRE(uname(&names) == 0);
  write_text(root.file("boot/config-") + names.release, "#\nCONFIG_HZ=100\n");
  const auto table = read_proc_table(root.file("")).value();
  CHECK(table.timeouts_known);
  CHECK(table.services[0].service.timeout_s == 360);
}
