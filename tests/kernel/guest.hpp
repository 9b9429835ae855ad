#pragma once

// Helpers for tests that run as root in the lab's throw-away kernel.

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace lvs::guest {

struct Result {
  int exit_code{};
  std::string output{};  ///< stdout and stderr
};

/// One shell command line, waited for.
inline Result run(const std::string& command) {
  FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Result result;
  std::array<char, 4096> buffer{};
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// The output of a command that has to succeed; an exception with its output otherwise.
inline std::string must(const std::string& command) {
  auto result = run(command);
  if (result.exit_code == 0) return std::move(result.output);
  throw std::runtime_error(command + " exited with " + std::to_string(result.exit_code) + ": " +
                           result.output);
}

/// Adds to the IPVS table; `rules` as ipvsadm -S prints them, one a line.
inline void ipvsadm_restore(const std::string& rules) {
  FILE* const pipe = popen("ipvsadm -R", "w");
  if (pipe == nullptr) throw std::runtime_error("cannot run ipvsadm");
  std::fwrite(rules.data(), 1, rules.size(), pipe);
  if (pclose(pipe) != 0) throw std::runtime_error("ipvsadm -R refused:\n" + rules);
}

}  // namespace lvs::guest
