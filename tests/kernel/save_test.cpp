// `monitorctl save` against `ipvsadm -Sn` of the same kernel, and through `ipvsadm -R` back into
// it; `diff` of what was saved, and `check` of the kernel's table alone.

#include <string>

#include "guest.hpp"
#include "many_services.hpp"
#include "support/catch.hpp"

using lvs::guest::build_table;
using lvs::guest::must;
using lvs::guest::run;

namespace {

const std::string monitorctl = LVS_MONITORCTL;

/// The whole table but for connections and counters, a line each. ipvsadm -R turns the kernel's
/// order round, and ipvsadm's own order (ipvsadm_order.hpp) then comes out as another one.
std::string whole_table() {
  return must(
      "ipvsadm -Sn | sort; ipvsadm -Ln --thresholds | "
      "awk '/^ / { print service, $2, $3, $4; next } { service = $1 \" \" $2 \" \" $3 }' | sort");
}

std::string without_thresholds(const std::string& file) {
  return must("sed 's/ -[xy] [0-9]*//g' " + file);
}

}  // namespace

TEST_CASE("save: three hundred services come back through ipvsadm -R, thresholds included") {
  build_table(300);
  const auto before = whole_table();
  REQUIRE(before.find(" 1000 ") != std::string::npos);
  const auto saved = must("ipvsadm -Sn");
  must(monitorctl + " save >/tmp/saved 2>/tmp/saved.err");
  CHECK(must("cat /tmp/saved.err").empty());
  CHECK(without_thresholds("/tmp/saved") == saved);
  CHECK(must("grep -c -- '-x 1000' /tmp/saved") != "0\n");
  CHECK(run(monitorctl + " diff /tmp/saved").output.empty());
  CHECK(run(monitorctl + " diff /tmp/saved").exit_code == 0);

  must("ipvsadm -C && ipvsadm -R </tmp/saved");
  CHECK(whole_table() == before);
  CHECK(run(monitorctl + " diff /tmp/saved").exit_code == 0);
  must("sort /tmp/saved >/tmp/saved.sorted && " + monitorctl +
       " -Sn | sort | cmp /tmp/saved.sorted -");

  // ipvsadm's own forgets them, and diff sees it.
  must("ipvsadm -Sn >/tmp/saved.ipvsadm && ipvsadm -C && ipvsadm -R </tmp/saved.ipvsadm");
  CHECK(whole_table() != before);
  const auto lost = run(monitorctl + " diff /tmp/saved");
  CHECK(lost.exit_code == 1);
  CHECK(lost.output.find("upper threshold 1000 -> 0") != std::string::npos);
  CHECK(run(monitorctl + " diff /tmp/saved.ipvsadm").exit_code == 0);
}

TEST_CASE("save: a mark from 2^31 on comes back, which ipvsadm's own does not") {
  must("ipvsadm -C; ipvsadm -A -f 4294967295 -s wrr");
  must("ipvsadm -a -f 4294967295 -r 10.0.0.11:0 -g -w 7 -x 100 -y 50");
  must(monitorctl + " save >/tmp/saved");
  must("ipvsadm -Sn >/tmp/saved.ipvsadm");
  CHECK(run(monitorctl + " diff --no-weights /tmp/saved /tmp/saved.ipvsadm")
            .output.find("upper threshold 100 -> 0") != std::string::npos);
  must("ipvsadm -C");
  CHECK(run("ipvsadm -R </tmp/saved.ipvsadm").exit_code != 0);
  must("ipvsadm -C && ipvsadm -R </tmp/saved");
  CHECK(run(monitorctl + " diff /tmp/saved").exit_code == 0);
}

TEST_CASE("diff: what changed in the kernel since is told") {
  must("ipvsadm -C; ipvsadm -A -t 10.9.9.9:80 -s wrr; ipvsadm -A -u 10.9.9.9:53 -s rr");
  must("ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 7 -x 100");
  must("ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.12:80 -m -w 7");
  must(monitorctl + " save >/tmp/saved");
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 9 -x 100");
  CHECK(run(monitorctl + " diff --no-weights /tmp/saved").exit_code == 0);
  must("ipvsadm -E -t 10.9.9.9:80 -s wlc; ipvsadm -D -u 10.9.9.9:53");
  must("ipvsadm -d -t 10.9.9.9:80 -r 10.0.0.12:80; ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.13:80 -m");
  const auto different = run(monitorctl + " diff - </tmp/saved");
  CHECK(different.exit_code == 1);
  CHECK(different.output ==
        "--- standard input\n+++ the kernel's table\n"
        "~ tcp 10.9.9.9:80: scheduler wrr -> wlc\n"
        "~ tcp 10.9.9.9:80 10.0.0.11:80: weight 7 -> 9\n"
        "- tcp 10.9.9.9:80 10.0.0.12:80: forwarding Masq, weight 7\n"
        "+ tcp 10.9.9.9:80 10.0.0.13:80: forwarding Masq, weight 1\n"
        "- udp 10.9.9.9:53: scheduler rr\n");
  const std::string nobody = "setpriv --reuid 65534 --clear-groups " + monitorctl;
  CHECK(run(nobody + " save").exit_code == 1);
  CHECK(run(nobody + " diff /tmp/saved").exit_code == 3);
}

TEST_CASE("check: without a daemon the kernel's table is judged, also without rights") {
  must("ipvsadm -C; ipvsadm -A -t 10.9.9.9:80 -s wrr; ipvsadm -A -t 10.9.9.9:81 -s wrr");
  must("ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 0");
  const std::string check = monitorctl + " check --socket /nonexistent";
  for (const auto& command : {check, "setpriv --reuid 65534 --clear-groups " + check}) {
    const auto checked = run(command);
    CHECK(checked.exit_code == 2);
    CHECK(checked.output.find("tcp 10.9.9.9:80: none of 1 destination has a weight above 0") !=
          std::string::npos);
    CHECK(checked.output.find("CRITICAL: tcp 10.9.9.9:81: no destination\n") != std::string::npos);
  }
}
