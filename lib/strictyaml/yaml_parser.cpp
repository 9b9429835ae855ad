#include "strictyaml/yaml_parser.hpp"

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
#include <utility>
#include <vector>

namespace lvs::strictyaml {

namespace {

using Kind = Element::Kind;

// A configuration is four deep; recursion over the tree stays small.
constexpr std::size_t max_depth = 32;
// A file with more is no configuration, and memory stays bounded.
constexpr std::size_t max_faults = 200;
constexpr std::string_view no_anchors = "anchors, aliases and merge keys are not supported";
constexpr std::string_view key_fault = "a key has to be a plain word";
constexpr std::string_view write_out = "write the values out";

/// Thrown out of the handler to end the parse: the problem is already in the list.
struct Stop : std::exception {};

Position position_from_mark(const YAML::Mark& mark, const Source& source) {
  return {static_cast<std::size_t>(std::max(mark.line, 0)),
          static_cast<std::size_t>(std::max(mark.column, 0)), source.file()};
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
  explicit Builder(const Source& source) : source_{source} {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    const Position where = position_from_mark(mark, source_);
    const bool marker = source_.line(where.line).starts_with("---");
    refuse(where, marker ? "a second document starts here" : "text after the end",
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
    refuse(position_from_mark(mark, source_), no_anchors, write_out);
    add({.kind = Kind::null, .where = position_from_mark(mark, source_), .entries = {}});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    refuse_open_quote(mark, tag);
    add({.kind = Kind::scalar,
         .where = position_from_mark(mark, source_),
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

  [[nodiscard]] Parsed take() { return std::move(parsed_); }

  /// After a syntax error: yaml-cpp takes a bracket that is never closed for the start of a key.
  /// What is wrong with such a key is the error once more.
  void forget_unfinished_keys() {
    for (const Open& open : open_) {
      if (!open.is_key) continue;
      std::erase_if(parsed_.faults, [&open](const Fault& fault) {
        return fault.message == key_fault && fault.where == open.element->where;
      });
    }
  }

  void refuse(Position where, std::string_view message, std::string_view hint) {
    parsed_.faults.push_back({where, std::string{message}, std::string{hint}});
  }

 private:
  /// A collection whose end has not come yet. Pointers stay valid: only the innermost one grows.
  struct Open {
    Element* element;
    bool value_next;  ///< of a map: its last entry waits for the value
    bool is_key;      ///< of the map around it
  };

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() == max_depth) {
      refuse(position_from_mark(mark, source_), "nested too deeply",
             "a configuration is four or five levels deep");
      throw Stop{};
    }
    Element* const element =
        add({.kind = kind, .where = position_from_mark(mark, source_), .entries = {}});
    const bool is_key = !open_.empty() && open_.back().value_next;
    open_.push_back({element, false, is_key});
  }

  Element* add(Element element) {
    if (parsed_.faults.size() >= max_faults) throw Stop{};
    if (open_.empty()) {
      parsed_.root = std::move(element);
      return &parsed_.root;
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
      refuse(key.where, key_fault, "a key with brackets or braces in it needs quotes");
    } else if (key.plain && key.value == "<<") {
      refuse(key.where, no_anchors, write_out);
    }
    return &map.entries.emplace_back(Entry{std::move(key), {}}).key;
  }

  /// yaml-cpp marks a value that is not there at the next token: step back over the white space.
  [[nodiscard]] Position end_before(const YAML::Mark& mark) const {
    std::size_t end = source_.offset(position_from_mark(mark, source_));
    while (end > 0 &&
           std::string_view{" \t\r\n"}.find(source_.text()[end - 1]) != std::string_view::npos) {
      --end;
    }
    return source_.position(end > 0 ? end - 1 : 0);
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    refuse(position_from_mark(mark, source_), no_anchors, write_out);
  }

  /// "?" is a value without, "!" one with quotes, "" one that yaml-cpp made up.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(position_from_mark(mark, source_), "tags (!) are not supported", "remove the tag");
  }

  /// yaml-cpp takes the end of the file for the closing quote.
  void refuse_open_quote(const YAML::Mark& mark, const std::string& tag) {
    const std::string_view text = source_.text();
    const std::size_t begin = source_.offset(position_from_mark(mark, source_));
    if (tag != "!" || begin >= text.size()) return;
    if (text[begin] != '"' && text[begin] != '\'') return;  // a block scalar: | or >
    if (closing_quote(text, begin) != std::string_view::npos) return;
    refuse(position_from_mark(mark, source_), "the quote that starts here is never closed", {});
    throw Stop{};
  }

  const Source& source_;
  Parsed parsed_{};
  std::vector<Open> open_{};
  std::size_t documents_{};
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

Fault fault_from_exception(const YAML::Exception& error, const Source& source) {
  const Position end = source.end();
  Position where = error.mark.is_null() ? end : position_from_mark(error.mark, source);
  if (where.line > end.line) where = end;
  const std::string_view line = source.line(where.line);
  const std::size_t tab = line.find('\t');
  const bool tab_indent = tab < line.find_first_not_of(" \t");
  if (tab_indent) where.byte = tab;
  // Behind a colon yaml-cpp quotes the text, which a secret document must not show.
  return {where, "syntax: " + error.msg.substr(0, error.msg.find(':')),
          hint_from_syntax_error(tab_indent ? "illegal tab" : error.msg)};
}

}  // namespace

Parsed parsed_from_source(const Source& source) {
  Builder builder{source};
  std::istringstream stream{source.text()};
  try {
    YAML::Parser parser{stream};
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop&) {
    // The fault that ended the parse is among the others.
  } catch (const YAML::Exception& error) {
    const Fault fault = fault_from_exception(error, source);
    builder.forget_unfinished_keys();
    builder.refuse(fault.where, fault.message, fault.hint);
  }
  return builder.take();
}

}  // namespace lvs::strictyaml
