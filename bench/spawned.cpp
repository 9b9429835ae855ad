#include "bench/spawned.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace lvs::bench {
namespace {

double milliseconds_from(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

double cpu_ms_from(const rusage& usage) {
  return milliseconds_from(usage.ru_utime) + milliseconds_from(usage.ru_stime);
}

/// Where the three standard streams of the program lead.
class Streams {
 public:
  explicit Streams(const std::string& input) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO,
                                     input.empty() ? "/dev/null" : input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

Spent spent_by(std::vector<std::string> command, const std::string& input) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (auto& word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Streams streams(input);

  int status = 0;
  rusage usage{};
  const double wall_ms = milliseconds_of([&] {
    pid_t child = -1;
    const int failed = posix_spawnp(&child, arguments.front(), streams.actions(), nullptr,
                                    arguments.data(), environ);
    if (failed != 0) throw std::runtime_error(command.front() + ": " + std::strerror(failed));
    if (wait4(child, &status, 0, &usage) != child) {
      throw std::runtime_error(command.front() + " cannot be waited for");
    }
  });
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(command.front() + " failed with status " + std::to_string(status));
  }
  return {wall_ms, cpu_ms_from(usage)};
}

double own_cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpu_ms_from(usage);
}

}  // namespace lvs::bench
