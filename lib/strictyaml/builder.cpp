#include "strictyaml/builder.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strictyaml/words.hpp"

namespace lvs::strictyaml {

namespace {

using Kind = Element::Kind;

// A configuration is four deep; recursion over the tree stays small.
constexpr std::size_t max_depth = 32;
constexpr std::string_view no_anchors = "anchors, aliases and merge keys are not supported";
constexpr std::string_view write_out = "write the values out";

/// Thrown out of the handler to end the parse: the problem is already in the list.
struct Stop : std::exception {};

Position position_from_mark(const YAML::Mark& mark) {
  return {static_cast<std::size_t>(std::max(mark.line, 0)),
          static_cast<std::size_t>(std::max(mark.column, 0))};
}

/// Offset of the quote that ends the scalar that starts at `begin`; npos when there is none.
std::size_t closing_quote(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool escaped = quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
      if (!escaped) return i;
      ++i;
    }
  }
  return std::string_view::npos;
}

class Builder final : public YAML::EventHandler {
 public:
  Builder(const Source& source, ProblemList& problems) : source_{source}, problems_{problems} {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    const Position where = position_from_mark(mark);
    const bool marker = source_.line(where.line).starts_with("---");
    problems_.error(where, marker ? "a second document starts here" : "text after the end",
                    marker ? "a configuration is one document: remove the line \"---\""
                           : "what stands before is complete: is it indented or quoted wrongly?");
    throw Stop{};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add({.kind = Kind::null, .where = end_before(mark), .entries = {}});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(position_from_mark(mark), no_anchors, write_out);
    add({.kind = Kind::null, .where = position_from_mark(mark), .entries = {}});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    refuse_open_quote(mark, tag);
    add({.kind = Kind::scalar,
         .where = position_from_mark(mark),
         .value = value,
         .plain = tag == "?",
         .entries = {}});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { open_.pop_back(); }

  [[nodiscard]] Element take_root() { return std::move(root_); }
  /// Something was left out of the tree that the author meant.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  /// A collection whose end has not come yet. Pointers stay valid: only the innermost one grows.
  struct Open {
    Element* element;
    bool value_next;  ///< of a map: its last entry waits for the value
  };

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() == max_depth) {
      problems_.error(position_from_mark(mark), "nested too deeply",
                      "a configuration is four or five levels deep");
      throw Stop{};
    }
    Element* const element = add({.kind = kind, .where = position_from_mark(mark), .entries = {}});
    open_.push_back({element, false});
  }

  Element* add(Element element) {
    if (open_.empty()) {
      root_ = std::move(element);
      return &root_;
    }
    Open& parent = open_.back();
    if (parent.element->kind == Kind::sequence) {
      return &parent.element->items.emplace_back(std::move(element));
    }
    parent.value_next = !parent.value_next;
    if (parent.value_next) return add_key(*parent.element, std::move(element));
    Entry& entry = parent.element->entries.back();
    // What is not there, or starts on a later line, is best shown at its key.
    const bool below = element.kind != Kind::scalar && element.where.line != entry.key.where.line;
    if (element.kind == Kind::null || below) element.where = entry.key.where;
    entry.value = std::move(element);
    return &entry.value;
  }

  Element* add_key(Element& map, Element key) {
    if (key.kind != Kind::scalar) {
      refuse(key.where, "a key has to be a plain word",
             "a key with brackets or braces in it needs quotes");
    } else if (key.plain && key.value == "<<") {
      refuse(key.where, no_anchors, write_out);
    }
    return &map.entries.emplace_back(Entry{std::move(key), {}}).key;
  }

  /// yaml-cpp marks a value that is not there at the next token: step back over the white space.
  [[nodiscard]] Position end_before(const YAML::Mark& mark) const {
    std::size_t end = source_.offset(position_from_mark(mark));
    while (end > 0 &&
           std::string_view{" \t\r\n"}.find(source_.text()[end - 1]) != std::string_view::npos) {
      --end;
    }
    return source_.position(end > 0 ? end - 1 : 0);
  }

  void refuse(Position where, std::string_view message, std::string_view hint) {
    problems_.error(where, std::string{message}, std::string{hint});
    refused_ = true;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    refuse(position_from_mark(mark), no_anchors, write_out);
  }

  /// "?" is a value without, "!" one with quotes, "" one that yaml-cpp made up.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(position_from_mark(mark), "tags (!) are not supported", "remove the tag");
  }

  /// yaml-cpp takes the end of the file for the closing quote.
  void refuse_open_quote(const YAML::Mark& mark, const std::string& tag) {
    const std::string_view text = source_.text();
    const std::size_t begin = source_.offset(position_from_mark(mark));
    if (tag != "!" || begin >= text.size()) return;
    if (text[begin] != '"' && text[begin] != '\'') return;  // a block scalar: | or >
    if (closing_quote(text, begin) != std::string_view::npos) return;
    problems_.error(position_from_mark(mark), "the quote that starts here is never closed");
    throw Stop{};
  }

  const Source& source_;
  ProblemList& problems_;
  Element root_{};
  std::vector<Open> open_{};
  std::size_t documents_{};
  bool refused_{};
};

/// What to do about yaml-cpp's shortest messages.
std::string hint_from_syntax_error(std::string_view message) {
  struct Hint {
    std::string_view part, hint;
  };
  static constexpr std::array hints{
      Hint{"illegal tab", "indent with spaces, not with tabs"},
      Hint{"illegal map value",
           "is this line, or the one before, indented wrongly? a value with "
           "\": \" in it needs quotes"},
      Hint{"end of map not found", "is this line indented differently from its neighbours?"},
      Hint{"end of sequence not found", "is this line indented differently from its neighbours?"},
      Hint{"end of map flow not found", "is a \"}\" missing?"},
      Hint{"end of sequence flow not found", "is a \"]\" missing?"},
      Hint{"illegal flow end", "there is a \"]\" or \"}\" too many"},
      Hint{"unknown token", "a value that starts with this character needs quotes"},
      Hint{"illegal EOF in scalar", "is a closing quote missing?"},
      Hint{"unknown escape", "in double quotes a backslash is written twice"},
      Hint{"anchor", "anchors, aliases and merge keys are not supported: write the values out"},
  };
  for (const Hint& hint : hints) {
    if (message.find(hint.part) != std::string_view::npos) return std::string{hint.hint};
  }
  return {};
}

void report_syntax_error(const YAML::Exception& error, const Source& source,
                         ProblemList& problems) {
  Position where = error.mark.is_null() ? source.end() : position_from_mark(error.mark);
  where = std::min(where, source.end());
  const std::string_view line = source.line(where.line);
  const std::size_t tab = line.find('\t');
  if (tab < line.find_first_not_of(" \t")) where.byte = tab;
  const bool tab_indent = where.byte == tab;
  // Behind a colon yaml-cpp quotes the text, which a secret document must not show.
  const std::string message = "syntax: " + error.msg.substr(0, error.msg.find(':'));
  problems.error(where, message, hint_from_syntax_error(tab_indent ? "illegal tab" : error.msg));
}

/// False when the text is no YAML that we take.
bool parse(const Source& source, Builder& builder, ProblemList& problems) {
  std::istringstream stream{source.text()};
  try {
    YAML::Parser parser{stream};
    while (parser.HandleNextDocument(builder)) {
    }
    return true;
  } catch (const Stop&) {
    return false;
  } catch (const YAML::Exception& error) {
    report_syntax_error(error, source, problems);
    return false;
  }
}

/// Drops every entry whose key was there before, and says so.
void drop_duplicates(Element& element, const std::string& path, ProblemList& problems) {
  for (std::size_t i = 0; i < element.items.size(); ++i) {
    drop_duplicates(element.items[i], path_of_item(path, i), problems);
  }
  std::unordered_map<std::string, std::size_t> first_lines;
  std::vector<Entry> kept;
  kept.reserve(element.entries.size());
  for (Entry& entry : element.entries) {
    if (entry.key.kind != Kind::scalar) continue;
    const auto [first, is_new] = first_lines.try_emplace(entry.key.value, entry.key.where.line + 1);
    drop_duplicates(entry.value, path_of_key(path, entry.key.value), problems);
    if (is_new) {
      kept.push_back(std::move(entry));
      continue;
    }
    problems.error(entry.key.where,
                   "duplicate key " + problems.shown(entry.key.value) +
                       (path.empty() || problems.secret() ? "" : " in " + path),
                   "it is already in line " + std::to_string(first->second));
  }
  element.entries = std::move(kept);
}

}  // namespace

std::optional<Element> element_from_source(const Source& source, ProblemList& problems) {
  if (const auto fault = text_fault(source)) {
    problems.error(fault->where, fault->message, fault->hint);
    return std::nullopt;
  }
  Builder builder{source, problems};
  const bool parsed = parse(source, builder, problems);
  Element root = builder.take_root();
  drop_duplicates(root, "", problems);
  if (!parsed || builder.refused()) return std::nullopt;
  return root;
}

std::string path_of_key(const std::string& path, std::string_view key) {
  const bool word = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  if (!word) return path + "[" + quoted(key) + "]";
  return path.empty() ? std::string{key} : path + "." + std::string{key};
}

std::string path_of_item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

}  // namespace lvs::strictyaml
