#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strictyaml/document.hpp"
#include "strictyaml/document_impl.hpp"
#include "strictyaml/duration.hpp"
#include "strictyaml/number.hpp"
#include "strictyaml/words.hpp"

namespace lvs::strictyaml {

namespace {

/// Digits alone: a number, even when there are too many of them for any type.
bool is_all_digits(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string range_text(const std::string& min, const std::string& max) {
  return "it has to be " + min + " to " + max;
}

}  // namespace

std::optional<std::string> Node::as_string() const {
  if (!exists()) return std::nullopt;
  if (is_scalar()) return state_->element->value;
  const std::string name = state_->path.empty() ? "the file" : state_->path;
  if (state_->element->kind == Element::Kind::null) {
    error(name + " is empty", "remove the key or give it a value");
  } else {
    error(name + " has to be a single value, not a " + (is_map() ? "map" : "list"));
  }
  return std::nullopt;
}

std::optional<std::string> Node::plain_value(std::string_view what) const {
  auto text = as_string();
  if (!text || state_->element->plain) return text;
  refuse_value(std::string{"has to be "}.append(what), "write it without quotes");
  return std::nullopt;
}

void Node::refuse_value(std::string_view why, std::string hint) const {
  const std::string shown = state_->document->problems.shown(state_->element->value);
  const std::string prefix = state_->path.empty() ? "" : state_->path + ": ";
  error((prefix + shown + " ").append(why), std::move(hint));
}

std::optional<bool> Node::as_bool() const {
  const auto text = plain_value("true or false");
  if (!text) return std::nullopt;
  if (*text == "true") return true;
  if (*text == "false") return false;
  static constexpr std::array<std::string_view, 8> yes{"yes", "Yes", "YES",  "on",
                                                       "On",  "ON",  "True", "TRUE"};
  static constexpr std::array<std::string_view, 8> no{"no",  "No",  "NO",    "off",
                                                      "Off", "OFF", "False", "FALSE"};
  std::string hint = "write true or false";
  for (const auto word : yes) {
    if (*text == word) hint = "write true";
  }
  for (const auto word : no) {
    if (*text == word) hint = "write false";
  }
  refuse_value("has to be true or false", std::move(hint));
  return std::nullopt;
}

std::optional<std::int64_t> Node::as_integer(std::int64_t min, std::int64_t max) const {
  const auto text = plain_value("a whole number");
  if (!text) return std::nullopt;
  const std::string range = range_text(std::to_string(min), std::to_string(max));
  const auto number = number_from_string<std::int64_t>(*text);
  if (!number && !is_all_digits(*text)) {
    refuse_value("is no whole number", range);
    return std::nullopt;
  }
  if (!number || *number < min || *number > max) {
    refuse_value("is out of range", range);
    return std::nullopt;
  }
  return number;
}

std::optional<double> Node::as_number(double min, double max) const {
  const auto text = plain_value("a number");
  if (!text) return std::nullopt;
  const std::string range = range_text(string_from_number(min), string_from_number(max));
  const auto number = number_from_string<double>(*text);
  if (!number || !std::isfinite(*number)) {
    refuse_value("is no number", range);
    return std::nullopt;
  }
  if (*number < min || *number > max) {
    refuse_value("is out of range", range);
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> Node::as_duration_ns(std::int64_t min_ns, std::int64_t max_ns) const {
  const auto text = as_string();
  if (!text) return std::nullopt;
  const auto duration = duration_ns_from_string(*text);
  if (!duration) {
    const bool bare = number_from_string<double>(*text).has_value();
    refuse_value(bare ? "has no unit" : "is no duration",
                 "a duration is a number and a unit: 500ms, 2s, 5m, 1h");
    return std::nullopt;
  }
  if (*duration < min_ns || *duration > max_ns) {
    refuse_value("is out of range",
                 range_text(string_from_duration_ns(min_ns), string_from_duration_ns(max_ns)));
    return std::nullopt;
  }
  return duration;
}

std::optional<std::size_t> Node::as_one_of(const std::vector<std::string>& words) const {
  const auto text = as_string();
  if (!text) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == *text) return i;
  }
  refuse_value("is not known here", hint_from_words(*text, words, "one of"));
  return std::nullopt;
}

}  // namespace lvs::strictyaml
