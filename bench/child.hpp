#pragma once

// A program that runs beside this one, with its output as a pipe.

#include <sys/types.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "plainfile/file_descriptor.hpp"

namespace lvs::bench {

class Child {
 public:
  /// Starts the program at the path `command[0]`, whose output is read from here; what it says on
  /// stderr goes where ours goes. The error is one line.
  static tl::expected<Child, std::string> start(std::vector<std::string> command);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// As end().
  ~Child();

  /// The next line of its output without the newline; what is left at its end.
  std::string line();
  /// All of its output until it ends or closes it.
  std::string rest();

  /// SIGTERM to this one process, and waits for it. What it has said can still be read.
  void end();
  /// Waits for its own end: the exit status, or 128 and the signal's number.
  int wait();

  [[nodiscard]] pid_t id() const { return id_; }

 private:
  Child(pid_t id, FileDescriptor output) : id_(id), output_(std::move(output)) {}

  pid_t id_{-1};  ///< -1: has been waited for
  FileDescriptor output_{};
};

/// The folder of this program: others were built beside it.
std::string own_folder();
/// The path of this program.
std::string own_path();

}  // namespace lvs::bench
