#pragma once

// A strict reader for configuration files on top of yaml-cpp: it collects every problem at once,
// each with file, line, column, source line, caret and hint. Unknown and duplicate keys are
// problems. yaml-cpp itself does not appear in this header.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lvs::strictyaml {

/// One problem. Line and column are 1-based.
struct Problem {
  enum class Severity { error, warning };
  Severity severity{Severity::error};
  std::string file{};
  std::size_t line{}, column{};
  std::string message{};  ///< "unknown key \"wieght\" in services[0].servers[1]"
  std::string source{};   ///< the offending line, or a part of a long one; "" in secret files
  std::size_t caret{1};   ///< 1-based character of `source` that is meant
  std::string hint{};     ///< "did you mean \"weight\"?"; may be empty

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// `FILE:LINE:COLUMN: error: MESSAGE`, the source line, a caret, and `hint: …`.
std::string string_from_problem(const Problem& problem);
/// All problems and a last line with their count; what `--check-config` prints.
std::string string_from_problems(const std::vector<Problem>& problems);

class Document;

/// Of a secret document (keys) no problem ever shows the text: neither its lines nor its values.
enum class Content { open, secret };

/// A position in the document. Cheap to copy; valid as long as its Document lives. The `as_*`
/// functions report a problem to the document and return nothing when the value does not fit.
/// A node that does not exist returns nothing, without a problem: most keys are optional. After a
/// syntax error no node exists.
class Node {
 public:
  [[nodiscard]] bool exists() const;
  [[nodiscard]] bool is_map() const;
  [[nodiscard]] bool is_sequence() const;
  [[nodiscard]] bool is_scalar() const;
  [[nodiscard]] bool is_null() const;      ///< "key:" with nothing behind it
  [[nodiscard]] std::string path() const;  ///< "services[0].servers[1]"; "" for the root
  [[nodiscard]] std::size_t line() const;  ///< 1-based; of the nearest node above when not there
  [[nodiscard]] std::string file() const;  ///< its name as the document was given it
  /// "line 7"; "/etc/a.yaml:7" where `other` stands in another file.
  [[nodiscard]] std::string place_seen_from(const Node& other) const;
  /// The keys of this map that were asked for so far: for tests of what describes them.
  [[nodiscard]] std::vector<std::string> known_keys() const;

  /// Child of a map; marks the key as known. Not there: a Node that does not exist.
  Node operator[](std::string_view key) const;
  /// The same, and a problem when it is not there.
  Node required(std::string_view key) const;
  /// Items of a sequence; a problem when it is something else.
  std::vector<Node> items() const;
  /// Keys and values of a map in the file's order; marks all keys as known.
  std::vector<std::pair<Node, Node>> entries() const;
  /// `key` was one of this map in an earlier version: where it is still there, it is unknown, and
  /// the hint says where it went.
  void moved(std::string_view key, const std::string& hint) const;
  /// After all known keys were asked for: every other key of this map is a problem, with a
  /// "did you mean" out of the known ones. Also a problem when the node is no map.
  void reject_unknown_keys() const;

  std::optional<std::string> as_string() const;
  std::optional<bool> as_bool() const;
  std::optional<std::int64_t> as_integer(std::int64_t min, std::int64_t max) const;
  std::optional<double> as_number(double min, double max) const;
  /// "500ms", "2s", "5m", "1h"; a bare number is a problem whose hint names units. Nanoseconds.
  std::optional<std::int64_t> as_duration_ns(std::int64_t min_ns, std::int64_t max_ns) const;
  /// Index of the word in `words`; else a problem with a hint.
  std::optional<std::size_t> as_one_of(const std::vector<std::string>& words) const;

  void error(std::string message, std::string hint = {}) const;
  void warn(std::string message, std::string hint = {}) const;

  /// A problem about this scalar: `PATH: "VALUE" WHY`. The value is not shown in a secret document.
  void refuse_value(std::string_view why, std::string hint = {}) const;

 private:
  friend class Document;
  struct State;
  /// The scalar's text when it stands without quotes; else a problem that says `what` it has to be.
  [[nodiscard]] std::optional<std::string> plain_value(std::string_view what) const;
  std::shared_ptr<const State> state_{};
};

/// The text of a file, and its name for messages.
struct TextFile {
  std::string name{}, text{};
};

/// Parsed text. Syntax errors and duplicate keys are already in `problems()`.
class Document {
 public:
  /// `file` is only a name for messages.
  Document(std::string text, std::string file, Content content = Content::open);
  /// Several files as one, at least one: maps are united, key by key; a list under one of the
  /// root's keys `joined_lists` goes behind that of the files before; any other value takes the
  /// place of the one before. A file with a fault is left out, so that the problems of all others
  /// are found.
  Document(std::vector<TextFile> files, const std::vector<std::string>& joined_lists);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  [[nodiscard]] Node root() const;
  [[nodiscard]] const std::vector<Problem>& problems() const;
  [[nodiscard]] bool has_errors() const;

 private:
  friend class Node;
  struct Impl;
  explicit Document(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lvs::strictyaml
