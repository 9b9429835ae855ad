#pragma once

// Members of documents that may be of another version: what is missing or of another kind is empty.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitorctl {

/// Null when `value` is no object or has no such member.
inline const boost::json::value* member_of(const boost::json::value& value, std::string_view key) {
  const auto* const object = value.if_object();
  return object == nullptr ? nullptr
                           : object->if_contains(boost::json::string_view(key.data(), key.size()));
}

inline const boost::json::array& array_of(const boost::json::value& value, std::string_view key) {
  static const boost::json::array none;
  const auto* const member = member_of(value, key);
  return member == nullptr || !member->is_array() ? none : member->get_array();
}

inline std::optional<double> number_of(const boost::json::value& value) {
  boost::json::error_code failure;
  const auto number = value.to_number<double>(failure);
  return failure ? std::nullopt : std::optional(number);
}

inline std::optional<double> number_of(const boost::json::value& value, std::string_view key) {
  const auto* const member = member_of(value, key);
  return member == nullptr ? std::nullopt : number_of(*member);
}

inline std::string text_of(const boost::json::value& value, std::string_view key) {
  const auto* const member = member_of(value, key);
  return member == nullptr || !member->is_string() ? std::string()
                                                   : std::string(member->get_string());
}

}  // namespace lvs::monitorctl
