#pragma once

// One nest of attributes on the way to a value: what codec functions share. Not for others.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "ipvs/attributes.hpp"
#include "ipvs/error.hpp"

namespace lvs::ipvs {

/// The attributes of one nest by type, and the first thing found wrong with them. As in the
/// kernel's nla_parse the last of two with the same type counts.
class Fields {
 public:
  static constexpr std::size_t max_types = 32;  ///< more than any IPVS nest has today (16)

  Fields(std::string_view what, ByteView payload) : what_(what) {
    while (true) {
      auto attribute = next_attribute(payload);
      if (!attribute) {
        refuse(attribute.error());
        return;
      }
      if (!*attribute) return;
      const auto type = (*attribute)->type;
      if (type < by_type_.size()) by_type_.at(type) = (*attribute)->payload;
    }
  }

  [[nodiscard]] std::optional<ByteView> find(int type) const {
    return by_type_.at(static_cast<std::size_t>(type));
  }

  ByteView bytes(int type, std::string_view name) {
    const auto payload = find(type);
    if (!payload) refuse("no " + std::string(name));
    return payload.value_or(ByteView{});
  }

  template <typename Integer>
  Integer integer(int type, std::string_view name) {
    if (!find(type)) refuse("no " + std::string(name));
    return optional_integer<Integer>(type, name);
  }

  /// 0 where the attribute is absent; a wrong length is refused all the same.
  template <typename Integer>
  Integer optional_integer(int type, std::string_view name) {
    const auto payload = find(type);
    if (!payload) return {};
    const auto value = integer_from_payload<Integer>(*payload);
    if (!value) refuse_length(name, payload->size(), std::to_string(sizeof(Integer)));
    return value.value_or(Integer{});
  }

  /// Statistics are 32 bits wide in STATS and 64 in STATS64 (but for the bytes, always 64).
  std::uint64_t counter(int type, std::string_view name) {
    const auto payload = find(type);
    if (payload && payload->size() == sizeof(std::uint32_t)) {
      return integer<std::uint32_t>(type, name);
    }
    return integer<std::uint64_t>(type, name);
  }

  /// Up to the terminating zero, which only a kernel's policy would guarantee.
  std::string text(int type, std::string_view name) {
    const auto payload = bytes(type, name);
    const auto end = std::find(payload.begin(), payload.end(), std::byte{0});
    std::string result;
    std::for_each(payload.begin(), end,
                  [&](std::byte each) { result += std::to_integer<char>(each); });
    return result;
  }

  void refuse_length(std::string_view name, std::size_t length, std::string_view wanted) {
    refuse(std::string(name) + " has " + std::to_string(length) + " bytes instead of " +
           std::string(wanted));
  }

  void refuse(const std::string& problem) {
    if (problem_.empty()) problem_ = std::string(what_) + ": " + problem;
  }

  template <typename Value>
  tl::expected<Value, Error> finish(Value value) const {
    if (!problem_.empty()) return tl::unexpected(malformed_error("malformed " + problem_));
    return value;
  }

 private:
  std::array<std::optional<ByteView>, max_types> by_type_{};
  std::string_view what_;
  std::string problem_{};
};

}  // namespace lvs::ipvs
