#pragma once

// Kills a child at a system call of the test's choice. Between two system calls a process does
// nothing that outlives it, so killing it at each of them in turn tries every state that a kill -9
// can leave behind. But for one: a write(2) itself may be cut short between two pages.

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <system_error>

namespace lvs::testing {

/// Whether nothing of system call `number` outlives the process.
inline bool concerns_own_memory(std::uint64_t number) {
  switch (number) {
    case SYS_brk:
    case SYS_madvise:
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_munmap:
      return true;
    default:
      return false;
  }
}

/// A child that runs from one stop to the next. Every system call but those of memory has two:
/// before the kernel does it, and after. Ended with its object.
class Stepper {
 public:
  template <typename Work>
  explicit Stepper(const Work& work) {
    child_ = ::fork();
    if (child_ < 0) throw_errno("fork");
    if (child_ == 0) {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
      static_cast<void>(::raise(SIGSTOP));
      ::_exit(work() ? 0 : 1);
    }
    if (!WIFSTOPPED(waited())) throw std::runtime_error("the child cannot be traced");
    // TRACESYSGOOD tells stops at system calls from signals; EXITKILL leaves no child behind.
    constexpr std::intptr_t options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
    if (::ptrace(PTRACE_SETOPTIONS, child_, nullptr, options) != 0) throw_errno("ptrace");
  }
  ~Stepper() {
    if (child_ > 0) kill();
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// False: the work ended before.
  bool to_next_stop() {
    constexpr int at_system_call = SIGTRAP | 0x80;
    std::intptr_t signal = 0;
    while (true) {
      if (::ptrace(PTRACE_SYSCALL, child_, nullptr, signal) != 0) throw_errno("ptrace");
      const int status = waited();
      if (!WIFSTOPPED(status)) return ended(status);
      const bool at_call = WSTOPSIG(status) == at_system_call;
      if (at_call && !concerns_own_memory(system_call())) return true;
      signal = at_call ? 0 : WSTOPSIG(status);  // for the child: handed on
    }
  }

  /// Whatever it was about to do is not done.
  void kill() {
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }

 private:
  [[noreturn]] static void throw_errno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }

  int waited() const {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0) {
      if (errno != EINTR) throw_errno("waitpid");
    }
    return status;
  }

  /// Its number; the kernel tells it when the call begins, and not when it ends.
  std::uint64_t system_call() {
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, child_, sizeof info, &info) < 0) throw_errno("ptrace");
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) last_call_ = info.entry.nr;
    return last_call_;
  }

  bool ended(int status) {
    child_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      throw std::runtime_error("the child's work failed");
    }
    return false;
  }

  pid_t child_{-1};
  std::uint64_t last_call_{};
};

/// Runs `work` (which says whether it went well) in a child that is killed at its stop number
/// `stop`, counted from 0. False: it ended before.
template <typename Work>
bool killed_at_stop(std::size_t stop, const Work& work) {
  Stepper child(work);
  for (std::size_t passed = 0; passed <= stop; ++passed) {
    if (!child.to_next_stop()) return false;
  }
  child.kill();
  return true;
}

}  // namespace lvs::testing
