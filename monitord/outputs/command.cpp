#include "monitord/outputs/command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

namespace lvs::monitord {
namespace {

constexpr std::size_t most_output = 4096;
constexpr std::chrono::milliseconds between_looks{10};
constexpr int status_not_started = 127;  // as a shell's

/// Asio's descriptors are not closed by exec.
void close_all_but_standard() {
  constexpr int first = 3;
  if (::close_range(first, ~0U, 0) == 0) return;
  constexpr int enough = 4096;  // before Linux 5.9
  for (int descriptor = first; descriptor < enough; ++descriptor)
    ::close(descriptor);
}

/// In the child of a process that may have threads: system calls and nothing else.
[[noreturn]] void become(char* const* arguments, int output) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  close_all_but_standard();
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  ::execv(arguments[0], arguments);
  ::_exit(status_not_started);
}

std::string text_of(int error) {
  return std::generic_category().message(error);
}

}  // namespace

void Command::start(const std::vector<std::string>& words, std::chrono::nanoseconds time) {
  auto copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (auto& word : copies)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (words.empty() || ::access(words.front().c_str(), X_OK) != 0) {
    const auto why = words.empty() ? "no program is named" : words.front() + ": " + text_of(errno);
    return end({false, why});
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return end({false, "pipe: " + text_of(errno)});
  output_ = FileDescriptor(ends[0]);
  const FileDescriptor writing(ends[1]);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  pid_ = ::fork();
  if (pid_ == 0) become(arguments.data(), writing.get());
  if (pid_ < 0) return end({false, "fork: " + text_of(errno)});
  end_ = std::chrono::steady_clock::now() + time;
  look_later();
}

void Command::look_later() {
  timer_.expires_after(between_looks);
  timer_.async_wait([self = shared_from_this()](boost::system::error_code stopped) {
    if (!stopped) self->look();
  });
}

void Command::look() {
  read();
  int status = 0;
  const auto ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended == pid_) return finish(status);
  if (ended < 0 && errno != EINTR) return end({false, "waitpid: " + text_of(errno)});
  if (!late_ && std::chrono::steady_clock::now() >= end_) {
    late_ = true;
    ::kill(pid_, SIGKILL);
  }
  look_later();
}

/// Whoever it started and left behind may hold the pipe open: its own end counts, not the pipe's.
void Command::read() {
  for (ssize_t size = 1; size > 0;) {
    size = ::read(output_.get(), block_.data(), block_.size());
    if (size <= 0) return;
    const auto room = most_output - std::min(most_output, text_.size());
    text_.append(block_.data(), std::min(static_cast<std::size_t>(size), room));
  }
}

void Command::finish(int status) {
  read();
  if (late_) return end({false, "it did not end in time"});
  if (WIFEXITED(status)) return end({WEXITSTATUS(status) == 0, std::move(text_)});
  end({false, "it was ended by signal " + std::to_string(WTERMSIG(status))});
}

void Command::end(const CommandResult& result) {
  if (const auto done = std::exchange(done_, nullptr)) done(result);
}

}  // namespace lvs::monitord
