#include "terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace lvs::monitorctl::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{30};

/// Bytes of the character or escape sequence at the front; 0: it is not whole.
std::size_t length_of_first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead >= 0x80) {
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    return text.size() < length ? 0 : length;
  }
  if (lead != 0x1b) return 1;
  if (text.size() < 2) return 0;
  if (text[1] == '(' || text[1] == ')') return text.size() < 3 ? 0 : 3;
  if (text[1] != '[') return 2;
  for (std::size_t i = 2; i < text.size(); ++i) {
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
  }
  return 0;
}

std::vector<unsigned> numbers_of(std::string_view parameters) {
  std::vector<unsigned> numbers{0};
  for (const char character : parameters) {
    if (character == ';') {
      numbers.push_back(0);
    } else if (character >= '0' && character <= '9') {
      numbers.back() = numbers.back() * 10 + static_cast<unsigned>(character - '0');
    }
  }
  return numbers;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Screen::Screen(std::size_t rows, std::size_t columns) {
  resize(rows, columns);
}

void Screen::resize(std::size_t rows, std::size_t columns) {
  columns_ = columns;
  rows_.assign(rows, Row(columns, " "));
  row_ = column_ = 0;
}

void Screen::write(std::string_view bytes) {
  pending_ += bytes;
  while (!pending_.empty()) {
    const auto length = length_of_first(pending_);
    if (length == 0) return;
    const auto whole = pending_.substr(0, length);
    pending_.erase(0, length);
    if (whole.front() == 0x1b) {
      escape(whole);
    } else if (length == 1 && static_cast<unsigned char>(whole.front()) < 0x20) {
      control(whole.front());
    } else {
      put(whole);
    }
  }
}

void Screen::put(const std::string& character) {
  had_more_than_ascii_ = had_more_than_ascii_ || character.size() > 1;
  if (column_ == columns_) {
    column_ = 0;
    row_ = std::min(row_ + 1, rows_.size() - 1);
  }
  rows_[row_][column_++] = character;
  last_ = character;
}

void Screen::control(char byte) {
  if (byte == '\r') column_ = 0;
  if (byte == '\n') row_ = std::min(row_ + 1, rows_.size() - 1);
  if (byte == '\b' && column_ > 0) --column_;
  if (byte == '\t') column_ = std::min((column_ / 8 + 1) * 8, columns_ - 1);
}

void Screen::escape(std::string_view sequence) {
  if (sequence[1] != '[') return;
  const char command = sequence.back();
  const auto parameters = sequence.substr(2, sequence.size() - 3);
  if (parameters.starts_with('?')) return private_mode(parameters.substr(1), command == 'h');
  const auto numbers = numbers_of(parameters);
  const auto count = std::max(numbers.front(), 1U);
  switch (command) {
    case 'J':
      return erase_screen(numbers.front());
    case 'K':
      return erase_line(numbers.front());
    case 'm':
      return select_graphics(parameters);
    case 'b':
      for (unsigned i = 0; i < count; ++i)
        put(last_);
      return;
    case 'X':
    case '@':
    case 'P':
      return change_line(command, count);
    case 'r':
    case 't':
    case 'l':
    case 'h':
      return;
    default:
      return move(command, numbers);
  }
}

void Screen::private_mode(std::string_view parameters, bool on) {
  for (const auto number : numbers_of(parameters)) {
    if (number == 1049) alternate_ = on;
    if (number == 25) cursor_visible_ = on;
  }
}

void Screen::change_line(char command, std::size_t count) {
  auto& row = rows_[row_];
  const auto here = row.begin() + static_cast<std::ptrdiff_t>(std::min(column_, columns_));
  const auto some =
      static_cast<std::ptrdiff_t>(std::min(count, static_cast<std::size_t>(row.end() - here)));
  if (command == 'X') std::fill(here, here + some, " ");
  if (command == 'P') row.erase(here, here + some);
  if (command == '@') row.insert(here, static_cast<std::size_t>(some), " ");
  row.resize(columns_, " ");
}

void Screen::erase_line(unsigned how) {
  auto& row = rows_[row_];
  const auto here = static_cast<std::ptrdiff_t>(std::min(column_, columns_ - 1));
  const auto begin = how == 0 ? row.begin() + here : row.begin();
  const auto end = how == 1 ? row.begin() + here + 1 : row.end();
  std::fill(begin, end, " ");
}

void Screen::erase_screen(unsigned how) {
  erase_line(how);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const bool erased = how == 2 || (how == 0 && row > row_) || (how == 1 && row < row_);
    if (erased) rows_[row].assign(columns_, " ");
  }
}

void Screen::select_graphics(std::string_view parameters) {
  for (const auto number : numbers_of(parameters)) {
    // 39 and 49 are the terminal's own.
    const bool colour = (number >= 30 && number < 39) || (number >= 40 && number < 49) ||
                        (number >= 90 && number < 108);
    had_colours_ = had_colours_ || colour;
  }
}

void Screen::move(char command, const std::vector<unsigned>& numbers) {
  const std::size_t count = std::max(numbers.front(), 1U);
  switch (command) {
    case 'H':
      row_ = count - 1;
      column_ = numbers.size() > 1 ? std::max(numbers[1], 1U) - 1 : 0;
      break;
    case 'd':
      row_ = count - 1;
      break;
    case 'G':
      column_ = count - 1;
      break;
    case 'A':
      row_ -= std::min(count, row_);
      break;
    case 'B':
      row_ += count;
      break;
    case 'C':
      column_ += count;
      break;
    case 'D':
      column_ -= std::min(count, column_);
      break;
    case 'Z':
      column_ = column_ == 0 ? 0 : (column_ - 1) / 8 * 8;
      break;
    default:
      throw std::runtime_error(std::string("an escape sequence that the test's terminal lacks: ") +
                               command);
  }
  row_ = std::min(row_, rows_.size() - 1);
  column_ = std::min(column_, columns_ - 1);
}

std::vector<std::string> Screen::lines() const {
  std::vector<std::string> lines;
  for (const auto& row : rows_) {
    auto& line = lines.emplace_back();
    for (const auto& character : row)
      line += character;
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

std::string Screen::text() const {
  std::string text;
  for (const auto& line : lines())
    text += line + "\n";
  return text;
}

ProgramInTerminal::ProgramInTerminal(std::vector<std::string> arguments,
                                     std::vector<std::string> environment, std::size_t rows,
                                     std::size_t columns)
    : screen_(rows, columns) {
  // All that allocates comes before the fork: other threads may hold the allocator's lock.
  const auto argv = pointers_to(arguments);
  const auto envp = pointers_to(environment);
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  int master = -1;
  std::array<char, 64> name{};
  child_ = ::forkpty(&master, name.data(), nullptr, &size);
  if (child_ == 0) {
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  if (child_ < 0) throw std::runtime_error("forkpty: " + std::string(std::strerror(errno)));
  master_ = FileDescriptor(master);
  ::fcntl(master, F_SETFL, O_NONBLOCK);
  // Kept open, so that the settings outlive the program.
  slave_ = FileDescriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  // The pty's settings when it is new; the program may have changed its own by now.
  int other_master = -1;
  int other_slave = -1;
  if (::openpty(&other_master, &other_slave, nullptr, nullptr, nullptr) != 0) {
    throw std::runtime_error("openpty");
  }
  const FileDescriptor first(other_master);
  const FileDescriptor second(other_slave);
  ::tcgetattr(other_slave, &before_);
}

ProgramInTerminal::~ProgramInTerminal() {
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

bool ProgramInTerminal::read_some() {
  std::array<char, 65536> part{};
  const auto count = ::read(master_.get(), part.data(), part.size());
  if (count <= 0) return false;
  screen_.write({part.data(), static_cast<std::size_t>(count)});
  return true;
}

void ProgramInTerminal::press(std::string_view keys) {
  if (::write(master_.get(), keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
    throw std::runtime_error("the terminal takes no keys");
  }
}

void ProgramInTerminal::resize(std::size_t rows, std::size_t columns) {
  while (read_some()) {
  }
  screen_.resize(rows, columns);
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  ::ioctl(master_.get(), TIOCSWINSZ, &size);
}

void ProgramInTerminal::signal(int number) {
  ::kill(child_, number);
}

void ProgramInTerminal::wait(const std::function<bool(const Screen&)>& what) {
  const auto until = Clock::now() + patience;
  while (!what(screen_)) {
    if (Clock::now() > until)
      throw std::runtime_error("waited in vain; the screen:\n" + screen_.text());
    pollfd waiting{master_.get(), POLLIN, 0};
    ::poll(&waiting, 1, 100);
    read_some();
  }
}

void ProgramInTerminal::wait_for_text(const std::string& text) {
  wait([&](const Screen& screen) { return screen.text().find(text) != std::string::npos; });
}

void ProgramInTerminal::wait_until_gone(const std::string& text) {
  wait([&](const Screen& screen) { return screen.text().find(text) == std::string::npos; });
}

int ProgramInTerminal::end() {
  const auto until = Clock::now() + patience;
  int status = 0;
  while (::waitpid(child_, &status, WNOHANG) == 0) {
    if (Clock::now() > until) throw std::runtime_error("it does not end:\n" + screen_.text());
    pollfd waiting{master_.get(), POLLIN, 0};
    ::poll(&waiting, 1, 20);
    read_some();
  }
  child_ = -1;
  while (read_some()) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool ProgramInTerminal::settings_restored() const {
  termios now{};
  if (::tcgetattr(slave_.get(), &now) != 0) return false;
  return now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag &&
         now.c_cflag == before_.c_cflag && now.c_lflag == before_.c_lflag &&
         std::memcmp(now.c_cc, before_.c_cc, sizeof(now.c_cc)) == 0;
}

}  // namespace lvs::monitorctl::testing
