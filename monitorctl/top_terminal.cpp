#include "monitorctl/top_terminal.hpp"

#include <curses.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lvs::monitorctl {
namespace {

/// Escape alone is a key too: after that many ms nothing of a longer sequence comes any more.
constexpr int escape_ms = 25;

constexpr short pair_of(Tone tone) {
  return static_cast<short>(1 + static_cast<int>(tone));
}

void make_colours() {
  start_color();
  use_default_colors();
  constexpr short background = -1;
  init_pair(pair_of(Tone::hand), COLOR_CYAN, background);
  init_pair(pair_of(Tone::note), COLOR_YELLOW, background);
  init_pair(pair_of(Tone::bad), COLOR_RED, background);
}

TopKey key_from_code(int code) {
  using Kind = TopKey::Kind;
  switch (code) {
    case KEY_UP:
      return {Kind::up};
    case KEY_DOWN:
      return {Kind::down};
    case KEY_PPAGE:
      return {Kind::page_up};
    case KEY_NPAGE:
      return {Kind::page_down};
    case KEY_HOME:
      return {Kind::home};
    case KEY_END:
      return {Kind::end};
    case KEY_ENTER:
    case '\n':
    case '\r':
      return {Kind::enter};
    case KEY_BACKSPACE:
    case '\b':
    case 0x7f:
      return {Kind::backspace};
    case 0x1b:
      return {Kind::escape};
    default:
      break;
  }
  if (code >= ' ' && code < 0x100) return {Kind::character, static_cast<char>(code)};
  return {};
}

}  // namespace

struct TopTerminal::Screen {
  SCREEN* handle{};
  bool colours{};
};

tl::expected<std::unique_ptr<TopTerminal>, std::string> TopTerminal::open(bool colours) {
  auto screen = std::make_unique<Screen>();
  // LINES and COLUMNS may be left of another window; the size is the terminal's own.
  ::use_env(FALSE);
  ::use_tioctl(TRUE);
  screen->handle = ::newterm(nullptr, stdout, stdin);
  if (screen->handle == nullptr) {
    const char* const type = std::getenv("TERM");
    return tl::unexpected("a terminal of type \"" + std::string(type == nullptr ? "" : type) +
                          "\" is not known here: set TERM (xterm), or use monitorctl top --once");
  }
  screen->colours = colours;
  return std::unique_ptr<TopTerminal>(new TopTerminal(std::move(screen)));
}

TopTerminal::TopTerminal(std::unique_ptr<Screen> screen) : screen_(std::move(screen)) {
  ::cbreak();
  ::noecho();
  ::nonl();
  ::keypad(stdscr, TRUE);
  ::nodelay(stdscr, TRUE);
  ::set_escdelay(escape_ms);
  ::curs_set(0);
  screen_->colours = screen_->colours && ::has_colors();
  if (screen_->colours) make_colours();
}

TopTerminal::~TopTerminal() {
  ::endwin();
  ::delscreen(screen_->handle);
}

TopSize TopTerminal::size() const {
  return {static_cast<std::size_t>(std::max(LINES, 1)),
          static_cast<std::size_t>(std::max(COLS, 1))};
}

void TopTerminal::resize() {
  winsize found{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &found) != 0 || found.ws_row == 0 || found.ws_col == 0) {
    return;
  }
  ::resizeterm(found.ws_row, found.ws_col);
  ::clearok(curscr, TRUE);  // what a terminal does with its lines when it is resized differs
}

void TopTerminal::draw(const std::vector<TopLine>& lines) {
  const auto attributes = [this](const TopStyle& style) {
    attr_t bits = A_NORMAL;
    if (style.bold) bits |= A_BOLD;
    if (style.reverse) bits |= A_REVERSE;
    if (style.tone == Tone::quiet && !style.reverse) bits |= A_DIM;
    const bool coloured =
        screen_->colours && style.tone != Tone::plain && style.tone != Tone::quiet;
    ::attr_set(bits, coloured ? pair_of(style.tone) : short{0}, nullptr);
  };
  ::erase();
  const auto rows = std::min(lines.size(), size().rows);
  for (std::size_t row = 0; row < rows; ++row) {
    ::move(static_cast<int>(row), 0);
    for (const auto& span : lines[row]) {
      attributes(span.style);
      ::addnstr(span.text.data(), static_cast<int>(span.text.size()));
    }
  }
  ::refresh();
}

TopKey TopTerminal::key() {
  while (true) {
    const int code = ::getch();
    if (code == ERR) return {};
    const auto key = key_from_code(code);
    if (key.kind != TopKey::Kind::none) return key;
  }
}

}  // namespace lvs::monitorctl
