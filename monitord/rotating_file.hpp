#pragma once

// A file that lines are appended to and that is renamed when it is full: FILE, FILE.1 … FILE.n,
// the newest first.
//
// Threading: one thread at a time. Errors: a line is in the file whole, or not at all; what went
// wrong is tried again with the next one.

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "monitord/config.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

class RotatingFile {
 public:
  explicit RotatingFile(RecordConfig config) : config_(std::move(config)) {}

  /// Opens where needed, rotates where it would not fit, and appends. May block for as long as the
  /// disk does, or the reader of a pipe, until `stop`. The error is one line without the path.
  tl::expected<void, std::string> append(std::string_view line, const std::stop_token& stop);

  /// The next line opens the file anew: somebody may have renamed it, or it is another one.
  void reopen(RecordConfig config);

 private:
  tl::expected<void, std::string> open();
  [[nodiscard]] bool ends_in_the_middle(std::uint64_t size) const;
  [[nodiscard]] tl::expected<void, std::string> rotate() const;
  tl::expected<void, std::string> write(std::string_view line, const std::stop_token& stop);
  void take_back_part();

  RecordConfig config_;
  FileDescriptor file_{};
  bool regular_{};        ///< no pipe or device: has a size, can be cut and renamed
  std::uint64_t size_{};  ///< of the whole lines
};

}  // namespace lvs::monitord
