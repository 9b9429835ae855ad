#include "monitorctl/progress.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace lvs::monitorctl {
namespace {

bool can_show() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

/// One less than there are: a full line would go on in the next one.
std::size_t columns_of_stderr() {
  winsize size{};
  constexpr std::size_t usual = 80;
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : usual) - 1;
}

void write_now(const std::string& text) {
  if (text.empty()) return;
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(std::uint64_t total, std::string unit, bool wanted) {
  if (wanted && can_show()) line_.emplace(total, std::move(unit), columns_of_stderr());
}

void Progress::reached(std::uint64_t done) {
  if (!line_) return;
  const auto now =
      std::chrono::duration_cast<ProgressLine::Time>(std::chrono::steady_clock::now() - started_);
  write_now(line_->reached(done, now));
}

void Progress::make_room() {
  if (line_ && ::isatty(STDOUT_FILENO) == 1) erase();
}

void Progress::erase() {
  if (line_) write_now(line_->erased());
}

std::uint64_t bytes_in_files(const std::vector<std::string>& paths) {
  std::uint64_t sum = 0;
  for (const auto& path : paths) {
    struct stat info {};
    const int found = path == "-" ? ::fstat(STDIN_FILENO, &info) : ::stat(path.c_str(), &info);
    if (found != 0 || !S_ISREG(info.st_mode)) return 0;
    sum += static_cast<std::uint64_t>(info.st_size);
  }
  return sum;
}

}  // namespace lvs::monitorctl
