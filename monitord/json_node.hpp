#pragma once

// Reads one JSON value strictly: the first thing that does not fit is kept as a message with its
// place. Pure.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvs::monitord {

/// What was found wrong below one root.
struct JsonFindings {
  std::string message{};  ///< of the first fault: "services[0].service: \"x\" is not a service"
  std::string hint{};
  std::vector<std::string> unknown_keys{};  ///< their places: "services[0].colour"

  [[nodiscard]] bool failed() const { return !message.empty(); }
};

/// A place in the document. Cheap; valid while the nodes above it are. A node that is not there
/// gives nothing, without a fault: most keys are optional.
class JsonNode {
 public:
  JsonNode(const boost::json::value& root, JsonFindings& findings)
      : value_(&root), findings_(&findings) {}

  [[nodiscard]] bool exists() const { return value_ != nullptr; }
  /// "services[0].destinations[1]"; "" for the root.
  [[nodiscard]] std::string place() const;

  JsonNode operator[](std::string_view key) const;
  /// The same, and a fault with `hint` when it is not there.
  JsonNode required(std::string_view key, std::string_view hint) const;
  /// Notes every key of this object that is not among `keys`.
  void note_keys_but(std::initializer_list<std::string_view> keys) const;

  /// Calls `visit(JsonNode)` for each item of a list, until a fault.
  template <typename Visit>
  void items(Visit visit) const;
  /// Calls `visit(key, JsonNode)` for each member of an object, until a fault.
  template <typename Visit>
  void entries(Visit visit) const;

  [[nodiscard]] std::optional<std::uint64_t> whole(std::uint64_t largest) const;
  [[nodiscard]] std::optional<double> number(double smallest, double largest) const;
  /// The same, and null gives nothing, too.
  [[nodiscard]] std::optional<double> number_or_null(double smallest, double largest) const;
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<bool> flag() const;

  /// A fault: `PLACE: VALUE is not EXPECTED`.
  void refuse(std::string_view expected, std::string_view hint = {}) const;
  void fail(std::string message, std::string_view hint) const;
  [[nodiscard]] bool failed() const { return findings_->failed(); }

 private:
  JsonNode(const boost::json::value* value, const JsonNode& above, std::string_view key,
           std::size_t index)
      : value_(value), findings_(above.findings_), above_(&above), key_(key), index_(index) {}
  [[nodiscard]] const boost::json::object* object() const;

  const boost::json::value* value_{};
  JsonFindings* findings_{};
  const JsonNode* above_{};
  std::string_view key_{};  ///< empty: an item of a list, or the root
  std::size_t index_{};
};

template <typename Visit>
void JsonNode::items(Visit visit) const {
  if (!exists()) return;
  if (!value_->is_array()) return refuse("a list");
  std::size_t index = 0;
  for (const auto& item : value_->get_array()) {
    visit(JsonNode(&item, *this, {}, index++));
    if (failed()) return;
  }
}

template <typename Visit>
void JsonNode::entries(Visit visit) const {
  const auto* const members = object();
  if (members == nullptr) return;
  for (const auto& member : *members) {
    const std::string_view key(member.key().data(), member.key().size());
    visit(key, JsonNode(&member.value(), *this, key, 0));
    if (failed()) return;
  }
}

}  // namespace lvs::monitord
