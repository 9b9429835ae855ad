#include "monitord/json_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>

#include "strictyaml/number.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitord {

namespace json = boost::json;

namespace {

std::string shown(const json::value& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_double()) return strictyaml::string_from_number(value.get_double());
  if (!value.is_string()) return json::serialize(value);
  const auto& text = value.get_string();
  return strictyaml::in_quotes({text.data(), text.size()});
}

}  // namespace

std::string JsonNode::place() const {
  if (above_ == nullptr) return {};
  auto front = above_->place();
  if (key_.empty()) return fmt::format("{}[{}]", front, index_);
  // Keys come from the file: what they hold must not reach a terminal as it is.
  auto name = strictyaml::in_quotes(key_);
  name = name.substr(1, name.size() - 2);
  return front.empty() ? name : fmt::format("{}.{}", front, name);
}

const json::object* JsonNode::object() const {
  if (!exists()) return nullptr;
  if (!value_->is_object()) refuse("an object");
  return value_->if_object();
}

JsonNode JsonNode::operator[](std::string_view key) const {
  const auto* const members = object();
  const json::value* below = nullptr;
  if (members != nullptr) below = members->if_contains(json::string_view(key.data(), key.size()));
  return {below, *this, key, 0};
}

JsonNode JsonNode::required(std::string_view key, std::string_view hint) const {
  auto below = (*this)[key];
  if (exists() && !below.exists()) {
    const auto where = place();
    fail(fmt::format("\"{}\" is missing{}{}", key, where.empty() ? "" : " in ", where), hint);
  }
  return below;
}

void JsonNode::note_keys_but(std::initializer_list<std::string_view> keys) const {
  entries([&](std::string_view key, const JsonNode& node) {
    if (std::ranges::find(keys, key) == keys.end()) {
      findings_->unknown_keys.push_back(node.place());
    }
  });
}

std::optional<std::uint64_t> JsonNode::whole(std::uint64_t largest) const {
  if (!exists()) return std::nullopt;
  json::error_code failure;
  if (value_->is_number()) {
    const auto number = value_->to_number<std::uint64_t>(failure);
    if (!failure && number <= largest) return number;
  }
  refuse(fmt::format("a whole number from 0 to {}", largest));
  return std::nullopt;
}

std::optional<double> JsonNode::number(double smallest, double largest) const {
  if (!exists()) return std::nullopt;
  json::error_code failure;
  if (value_->is_number()) {
    const auto number = value_->to_number<double>(failure);
    if (!failure && number >= smallest && number <= largest) return number;
  }
  refuse(fmt::format("a number from {} to {}", smallest, largest));
  return std::nullopt;
}

std::optional<double> JsonNode::number_or_null(double smallest, double largest) const {
  if (!exists() || value_->is_null()) return std::nullopt;
  return number(smallest, largest);
}

std::optional<std::string_view> JsonNode::text() const {
  if (!exists()) return std::nullopt;
  if (const auto* const text = value_->if_string())
    return std::string_view(text->data(), text->size());
  refuse("a text");
  return std::nullopt;
}

std::optional<bool> JsonNode::flag() const {
  if (!exists()) return std::nullopt;
  if (const auto* const flag = value_->if_bool()) return *flag;
  refuse("true or false");
  return std::nullopt;
}

void JsonNode::refuse(std::string_view expected, std::string_view hint) const {
  if (failed()) return;
  const auto where = place();
  fail(fmt::format("{}{}{} is not {}", where, where.empty() ? "" : ": ", shown(*value_), expected),
       hint);
}

void JsonNode::fail(std::string message, std::string_view hint) const {
  if (failed()) return;
  findings_->message = std::move(message);
  findings_->hint = hint;
}

}  // namespace lvs::monitord
