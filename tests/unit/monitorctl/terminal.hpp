#pragma once

// A program in a terminal of its own: a pty, and as much of an xterm behind it as ncurses uses.

#include <sys/types.h>
#include <termios.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl::testing {

/// What an xterm shows after the bytes that were written to it.
class Screen {
 public:
  Screen(std::size_t rows, std::size_t columns);

  void write(std::string_view bytes);
  /// As a new terminal of that size, with the rest as it is.
  void resize(std::size_t rows, std::size_t columns);

  [[nodiscard]] std::vector<std::string> lines() const;  ///< without blanks at their ends
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool alternate() const { return alternate_; }
  [[nodiscard]] bool cursor_visible() const { return cursor_visible_; }
  [[nodiscard]] bool had_colours() const { return had_colours_; }
  [[nodiscard]] bool had_more_than_ascii() const { return had_more_than_ascii_; }

 private:
  using Row = std::vector<std::string>;  ///< a character each

  void put(const std::string& character);
  void control(char byte);
  void escape(std::string_view sequence);
  void private_mode(std::string_view parameters, bool on);
  void change_line(char command, std::size_t count);
  void erase_line(unsigned how);
  void erase_screen(unsigned how);
  void select_graphics(std::string_view parameters);
  void move(char command, const std::vector<unsigned>& numbers);

  std::size_t columns_{};
  std::vector<Row> rows_{};
  std::size_t row_{}, column_{};
  std::string pending_{};  ///< a sequence or character that is not whole yet
  std::string last_{" "};
  bool alternate_{}, cursor_visible_{true}, had_colours_{}, had_more_than_ascii_{};
};

class ProgramInTerminal {
 public:
  /// `environment`: "NAME=value", and nothing else but these. Throws where there is no pty.
  ProgramInTerminal(std::vector<std::string> arguments, std::vector<std::string> environment,
                    std::size_t rows, std::size_t columns);
  ~ProgramInTerminal();
  ProgramInTerminal(const ProgramInTerminal&) = delete;
  ProgramInTerminal& operator=(const ProgramInTerminal&) = delete;

  [[nodiscard]] const Screen& screen() const { return screen_; }
  void press(std::string_view keys);
  void resize(std::size_t rows, std::size_t columns);
  void signal(int number);
  /// Until `what` holds of the screen; throws with the screen after half a minute.
  void wait(const std::function<bool(const Screen&)>& what);
  void wait_for_text(const std::string& text);
  void wait_until_gone(const std::string& text);
  /// Waits for its end: the exit status, or 128 and the signal.
  int end();
  /// Line editing, echo and everything else are what they were before the program began.
  [[nodiscard]] bool settings_restored() const;

 private:
  bool read_some();

  Screen screen_;
  FileDescriptor master_{}, slave_{};
  pid_t child_{-1};
  termios before_{};
};

}  // namespace lvs::monitorctl::testing
