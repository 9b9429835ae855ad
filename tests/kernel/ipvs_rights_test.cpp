// What the kernel refuses, and what the operator is told.

#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ipvs_table.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;
using lvs::guest::ipvsadm_restore;
using lvs::guest::must;

namespace {

constexpr int works = 100;  // exit codes of the child; the kinds of errors are below
constexpr int cannot_try = 101;

int code_of(const tl::expected<std::vector<ServiceEntry>, Error>& result) {
  return result ? works : static_cast<int>(result.error().kind);
}

/// Rights are dropped for good, so each attempt has a process of its own.
int in_child(const std::function<int()>& body) {
  const auto child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// uid 1000 with exactly `capabilities` (a bit mask), as a systemd unit would start it.
bool become_user(std::uint32_t capabilities) {
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return false;
  if (setresgid(1000, 1000, 1000) != 0 || setresuid(1000, 1000, 1000) != 0) return false;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct data[2]{
      {.effective = capabilities, .permitted = capabilities, .inheritable = 0}, {}};
  return syscall(SYS_capset, &header, data) == 0;
}

void one_service() {
  ipvsadm_restore("-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 10\n");
}

/// Refused by the kernel while a service exists.
void unload() {
  must("awk '/^ip_vs_/ {print $1}' /proc/modules | xargs -r rmmod && rmmod ip_vs");
}

}  // namespace

TEST_CASE("kernel rights: case 44 (no rights) without any capability") {
  one_service();
  CHECK(in_child([] {
          if (!become_user(0)) return cannot_try;
          return code_of(NetlinkTable().services());
        }) == static_cast<int>(ErrorKind::no_permission));
}

TEST_CASE("kernel rights: case 44 (no rights) with CAP_NET_ADMIN alone reads and writes") {
  one_service();
  CHECK(in_child([] {
          if (!become_user(1U << CAP_NET_ADMIN)) return cannot_try;
          NetlinkTable table;
          if (!set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 20)) return 1;
          return code_of(table.services());
        }) == works);
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 20 0 0\n");
}

TEST_CASE("kernel rights: case 44 (no rights) with a socket opened as root") {
  one_service();
  CHECK(in_child([] {
          NetlinkTable table;
          if (!table.services()) return cannot_try;
          if (!become_user(0)) return cannot_try;
          return code_of(table.services());
        }) == static_cast<int>(ErrorKind::no_permission));
}

TEST_CASE("kernel rights: case 44 (no rights) as root of a user namespace") {
  one_service();
  CHECK(in_child([] {
          if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return cannot_try;
          const auto result = NetlinkTable().services();
          if (result) return works;
          const bool named =
              result.error().message.find("CAP_NET_ADMIN in the initial user namespace") !=
              std::string::npos;
          return named ? static_cast<int>(result.error().kind) : 1;
        }) == static_cast<int>(ErrorKind::no_permission));
}

TEST_CASE("kernel rights: a write without rights changes nothing") {
  one_service();
  CHECK(in_child([] {
          NetlinkTable table;
          const auto read = table.service(key("tcp:10.9.9.9:80"));
          if (!read || !become_user(0)) return cannot_try;
          const auto written =
              table.set_weight(key("tcp:10.9.9.9:80"), read->destinations.at(0), 99);
          return written ? works : static_cast<int>(written.error().kind);
        }) == static_cast<int>(ErrorKind::no_permission));
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 10 0 0\n");
}

TEST_CASE("kernel rights: a network namespace has a table of its own") {
  one_service();
  CHECK(in_child([] {
          if (unshare(CLONE_NEWNET) != 0) return cannot_try;
          const auto services = NetlinkTable().services();
          return services && services->empty() ? works : code_of(services);
        }) == works);
}

TEST_CASE("kernel rights: no IPVS in this kernel is said and later found") {
  const auto loader = must("cat /proc/sys/kernel/modprobe");
  unload();
  must("echo /bin/false >/proc/sys/kernel/modprobe");
  NetlinkTable table;
  const auto error = table.services().error();
  CHECK(error.kind == ErrorKind::no_ipvs);
  CHECK(error.message ==
        "no IPVS in this kernel: run modprobe ip_vs (in a container: on its host)");
  CHECK(table.info().error().kind == ErrorKind::no_ipvs);

  must("echo " + loader.substr(0, loader.find('\n')) + " >/proc/sys/kernel/modprobe");
  must("modprobe ip_vs");
  one_service();
  CHECK(table.services().value().size() == 1);
}

TEST_CASE("kernel rights: case 43 (a stale family id) is resolved at the next reading") {
  NetlinkTable table;
  REQUIRE(table.services().value().empty());
  unload();
  must("modprobe ip_vs");
  one_service();
  const auto services = table.services();
  REQUIRE(services);
  REQUIRE(services->size() == 1);
  CHECK(services->at(0).destinations.at(0).weight == 10);
  CHECK(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 11));
}

TEST_CASE("kernel rights: case 43 (ENOENT without meaning) has three different messages") {
  one_service();
  NetlinkTable table;
  const auto web = key("tcp:10.9.9.9:80");
  const auto read = table.service(web).value().destinations.at(0);
  must("ipvsadm -d -t 10.9.9.9:80 -r 10.0.0.11:80");
  const auto no_destination = table.set_weight(web, read, 5).error();
  must("ipvsadm -C");
  const auto no_service = table.set_weight(web, read, 5).error();
  unload();
  must("echo /bin/false >/proc/sys/kernel/modprobe");
  const auto no_ipvs = table.services().error();
  CHECK(no_destination.kind == ErrorKind::no_such_destination);
  CHECK(no_service.kind == ErrorKind::no_such_service);
  CHECK(no_ipvs.kind == ErrorKind::no_ipvs);
  CHECK(no_destination.message != no_service.message);
  CHECK(no_service.message != no_ipvs.message);
}

TEST_CASE("kernel rights: a write that outlives a reload does not reach the new table") {
  one_service();
  NetlinkTable table;
  const auto web = key("tcp:10.9.9.9:80");
  const auto read = table.service(web).value().destinations.at(0);
  must("ipvsadm -C");
  unload();
  must("modprobe ip_vs");
  one_service();
  const auto written = table.set_weight(web, read, 99);
  REQUIRE_FALSE(written);
  CHECK(written.error().kind == ErrorKind::no_such_service);
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 10 0 0\n");
  CHECK(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 12));
}
