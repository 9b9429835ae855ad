#include "bench/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lvs::bench {
namespace {

std::string failure(const std::string& program, int error) {
  return program + " cannot be started: " + std::generic_category().message(error);
}

/// Bytes read; 0 at the end and on an error.
std::size_t read_some(const FileDescriptor& file, char* to, std::size_t most) {
  ssize_t count = -1;
  do {
    count = ::read(file.get(), to, most);
  } while (count < 0 && errno == EINTR);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

/// 0, or an error number.
int spawn(std::vector<std::string>& command, int output, pid_t& id) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (auto& word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  const int failed =
      ::posix_spawn(&id, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed;
}

}  // namespace

tl::expected<Child, std::string> Child::start(std::vector<std::string> command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return tl::make_unexpected(failure(command.front(), errno));
  }
  FileDescriptor output(ends[0]);
  const FileDescriptor input(ends[1]);
  pid_t id = -1;
  const int failed = spawn(command, input.get(), id);
  if (failed != 0) return tl::make_unexpected(failure(command.front(), failed));
  return Child(id, std::move(output));
}

Child::Child(Child&& other) noexcept
    : id_(std::exchange(other.id_, -1)), output_(std::move(other.output_)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(output_, other.output_);
  return *this;
}

Child::~Child() {
  end();
}

std::string Child::line() {
  std::string text;
  char next{};
  while (read_some(output_, &next, 1) == 1 && next != '\n')
    text += next;
  return text;
}

std::string Child::rest() {
  std::string text;
  std::array<char, 4096> piece{};
  while (const auto count = read_some(output_, piece.data(), piece.size()))
    text.append(piece.data(), count);
  return text;
}

void Child::end() {
  if (id_ > 0) ::kill(id_, SIGTERM);
  wait();
}

int Child::wait() {
  if (id_ <= 0) return 0;
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string own_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

std::string own_folder() {
  return std::filesystem::path(own_path()).parent_path().string();
}

}  // namespace lvs::bench
