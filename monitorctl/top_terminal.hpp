#pragma once

// The terminal under `monitorctl top`, by ncurses: takes it over, draws lines, reads keys, and
// gives it back as it was.
//
// Threading: one at a time in a process, on the thread that gets the signals. Errors: a terminal of
// an unknown type is refused.

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitorctl/top_layout.hpp"

namespace lvs::monitorctl {

class TopTerminal {
 public:
  /// The error is one line. Without `colours` there are none, whatever the terminal can.
  static tl::expected<std::unique_ptr<TopTerminal>, std::string> open(bool colours);
  ~TopTerminal();
  TopTerminal(const TopTerminal&) = delete;
  TopTerminal& operator=(const TopTerminal&) = delete;

  [[nodiscard]] TopSize size() const;
  /// The terminal's size may be another one: asks for it.
  void resize();
  /// Only what differs from what is on the screen is sent.
  void draw(const std::vector<TopLine>& lines);
  /// Kind::none: no more for now.
  TopKey key();

 private:
  struct Screen;

  explicit TopTerminal(std::unique_ptr<Screen> screen);

  std::unique_ptr<Screen> screen_;
};

}  // namespace lvs::monitorctl
