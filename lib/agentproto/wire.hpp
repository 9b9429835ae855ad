#pragma once

// Big-endian integers in byte buffers, for the LFB1 codec only.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agentproto/key.hpp"

namespace lvs::agentproto {

class Writer {
 public:
  template <std::unsigned_integral T>
  void integer(T value) {
    for (std::size_t i = sizeof(T); i-- > 0;) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }
  void bytes(Bytes more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }

  template <std::unsigned_integral T>
  void overwrite(std::size_t offset, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_[offset + i] = static_cast<std::uint8_t>(value >> (8 * (sizeof(T) - 1 - i)));
    }
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::vector<std::uint8_t>& data() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_{};
};

/// Consumes its input from the front. Reading more than there is gives zeros and sets `failed()`,
/// so that a caller checks once at the end.
class Reader {
 public:
  explicit Reader(Bytes bytes) : rest_{bytes} {}

  template <std::unsigned_integral T>
  T integer() {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : take(sizeof(T)))
      value = value << 8U | byte;
    return static_cast<T>(value);
  }
  template <std::size_t N>
  std::array<std::uint8_t, N> array() {
    std::array<std::uint8_t, N> value{};
    std::ranges::copy(take(N), value.begin());
    return value;
  }
  Bytes take(std::size_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const Bytes front = rest_.first(count);
    rest_ = rest_.subspan(count);
    return front;
  }

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  Bytes rest_;
  bool failed_{};
};

}  // namespace lvs::agentproto
