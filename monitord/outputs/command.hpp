#pragma once

// A program that somebody else wrote, run to its end beside the loop: `nginx -t`.
//
// It has none of monitord's rights (no ambient capability), none of its files, and nothing to read.
// Threading: the io_context's one thread, which never waits for it: it is looked at every few
// milliseconds. Errors: are in the result.

#include <sys/types.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

struct CommandResult {
  bool succeeded{};      ///< it ended by itself, with 0
  std::string output{};  ///< what it wrote, the first 4 KiB; or why there is nothing
};

class Command : public std::enable_shared_from_this<Command> {
 public:
  using Done = std::function<void(const CommandResult&)>;

  Command(boost::asio::io_context& io, Done done) : timer_(io), done_(std::move(done)) {}

  /// `words`: the program's path, and its arguments. After `time` it is killed. Keeps itself alive
  /// until it has ended.
  void start(const std::vector<std::string>& words, std::chrono::nanoseconds time);

  /// Nobody wants to know any more. It is left to its end.
  void drop() { done_ = nullptr; }

 private:
  void look_later();
  void look();
  void read();
  void finish(int status);
  void end(const CommandResult& result);

  boost::asio::steady_timer timer_;
  Done done_;
  FileDescriptor output_{};
  pid_t pid_{-1};
  std::chrono::steady_clock::time_point end_{};
  bool late_{};
  std::string text_{};
  std::array<char, 1024> block_{};
};

}  // namespace lvs::monitord
