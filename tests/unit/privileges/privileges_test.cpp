// Rights are given up for good, so each attempt has a process of its own. As root: who has no
// rights has none to give up.

#include "privileges/privileges.hpp"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "support/catch.hpp"
#include "support/process_status.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::privileges;

namespace {

constexpr int good = 42;  // exit code of a child in which all was as it should be

int in_child(const std::function<bool()>& holds) {
  const auto child = ::fork();
  if (child == 0) ::_exit(holds() ? good : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::uint64_t set_now(const char* name) {
  const auto status = lvs::testing::status_from_file("/proc/self/status");
  return std::stoull(status.at(name), nullptr, 16);
}

constexpr std::uint64_t bit(unsigned capability) {
  return std::uint64_t{1} << capability;
}

bool holds_exactly(std::uint64_t kept) {
  return set_now("CapPrm") == kept && set_now("CapEff") == kept && set_now("CapBnd") == kept &&
         set_now("CapInh") == 0 && set_now("CapAmb") == 0 && set_now("NoNewPrivs") == 1;
}

/// As a unit's SystemCallFilter= does.
bool forbid_capset() {
  std::array<sock_filter, 4> steps{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_capset, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(steps.size()), steps.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

TEST_CASE("privileges: what is kept is all that is left, in all sets") {
  REQUIRE(::geteuid() == 0);
  REQUIRE((set_now("CapPrm") & bit(CAP_CHOWN)) != 0);
  CHECK(in_child([] { return keep_only({}) && holds_exactly(0); }) == good);
  CHECK(in_child([] { return keep_only({CAP_CHOWN}) && holds_exactly(bit(CAP_CHOWN)); }) == good);
  // Once more makes no difference, and brings nothing back.
  CHECK(in_child([] {
          return keep_only({CAP_CHOWN}) && keep_only({CAP_CHOWN, CAP_DAC_OVERRIDE}) &&
                 holds_exactly(bit(CAP_CHOWN));
        }) == good);
  CHECK(in_child([] { return keep_only({}) && keep_only({CAP_CHOWN}) && holds_exactly(0); }) ==
        good);
}

TEST_CASE("privileges: what cannot be given up is said, and nothing to give up is no fault") {
  REQUIRE(::geteuid() == 0);
  CHECK(in_child([] {
          if (!forbid_capset()) return false;
          const auto kept = keep_only({CAP_NET_ADMIN});
          return !kept && kept.error().find(
                              "cannot give up the rights that are not needed: "
                              "capset: Operation not permitted") == 0;
        }) == good);
  CHECK(in_child([] { return keep_only({}) && forbid_capset() && keep_only({}); }) == good);
}

TEST_CASE("privileges: root without them reads its own files, and is told of others") {
  REQUIRE(::geteuid() == 0);
  const lvs::testing::ScratchFolder folder;
  const auto own = folder.write("own", "text");
  const auto other = folder.write("other", "text");
  REQUIRE(::chmod(own.c_str(), 0600) == 0);
  REQUIRE(::chmod(other.c_str(), 0600) == 0);
  REQUIRE(::chown(other.c_str(), 1000, 1000) == 0);
  const std::vector<std::string> files{own, other, folder.file("none")};
  CHECK(notes_about_reload(files).empty());
  CHECK(in_child([&] {
          if (!keep_only({})) return false;
          const auto notes = notes_about_reload(files);
          return notes.size() == 1 && notes[0].find(other + ": a reload will not") == 0 &&
                 notes[0].find("chown root " + other) != std::string::npos;
        }) == good);
}
