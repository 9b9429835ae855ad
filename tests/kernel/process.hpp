#pragma once

// A program that a kernel test starts and ends.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lvs::guest {

/// Runs until end() or the destructor. Its output goes to the file `log`.
class Process {
 public:
  Process(std::vector<std::string> command, const std::string& log) {
    std::vector<char*> arguments;
    for (auto& word : command)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("cannot fork");
    if (pid_ > 0) return;
    auto const output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(pid_, other.pid_);
    return *this;
  }
  ~Process() {
    if (pid_ > 0) (void)end(SIGKILL);
  }

  /// Sends the signal and waits; the exit status, or 128 + the signal that ended it.
  int end(int signal) {
    kill(pid_, signal);
    return wait();
  }

  int wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_{-1};
};

}  // namespace lvs::guest
