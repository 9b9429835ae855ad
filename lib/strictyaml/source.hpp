#pragma once

// The text of a file as lines, and what is wrong with it before any YAML is looked at.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::strictyaml {

/// Where something stands: 0-based line, 0-based byte in that line, 0-based file of the document.
struct Position {
  std::size_t line{}, byte{}, file{};

  friend bool operator==(const Position&, const Position&) = default;
};

/// A part of a line that fits a terminal. `caret` is the 1-based character that is meant.
struct Excerpt {
  std::string text{};
  std::size_t caret{1};
};

/// What makes a text useless as a whole, and where.
struct Fault {
  Position where{};
  std::string message{}, hint{};
};

class Source {
 public:
  /// A byte order mark is dropped. `name` is for messages, `file` for positions.
  explicit Source(std::string text, std::string name = {}, std::size_t file = 0);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t file() const { return file_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Without its line end. Empty beyond the last line.
  [[nodiscard]] std::string_view line(std::size_t number) const;
  /// 1-based column in characters (not bytes), as editors count.
  [[nodiscard]] std::size_t column(Position where) const;
  /// The line, cut to at most 100 characters around the position and free of control characters.
  [[nodiscard]] Excerpt excerpt(Position where) const;
  /// The last line that has something in it.
  [[nodiscard]] Position end() const;
  [[nodiscard]] Position position(std::size_t offset) const;
  [[nodiscard]] std::size_t offset(Position where) const;

 private:
  std::string text_;
  std::string name_;
  std::size_t file_;
  std::vector<std::size_t> starts_{};  ///< offset of each line's first byte
};

/// The first fault of the text: what yaml-cpp would accept, misread or be slow at.
std::optional<Fault> text_fault(const Source& source);

/// Length of the valid UTF-8 sequence at the start of `text`; 0 when there is none (RFC 3629).
std::size_t utf8_length(std::string_view text);

}  // namespace lvs::strictyaml
