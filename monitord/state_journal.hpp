#pragma once

// The journal's file. A record is one write(2) into the page cache: that survives a kill -9 at any
// instruction. It is not flushed to the disk, on purpose: flushing would stall the control loop,
// and a power loss takes the kernel's table, which the journal describes, with it.
//
// Threading: one thread. Errors: a full or missing disk never stops the loop; problem() says so
// until the journal is whole again. A record that does not fit is taken back, so that the file
// always ends with a complete line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "monitord/remembered.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

class StateJournal {
 public:
  explicit StateJournal(std::string path) : path_(std::move(path)) {}

  /// Reads what an earlier process left and rewrites it in its shortest form. A journal that cannot
  /// be understood is renamed, never deleted, and messages() says so. Fails only when another
  /// process has the file in use.
  tl::expected<Remembered, std::string> open();

  /// What a journal holds, without touching it; nothing where it cannot be understood.
  static Remembered peek(const std::string& path);

  /// Right before these weights are written together. An intent for a destination whose base was
  /// not recorded says nothing and is left out.
  void intend(const std::vector<Intent>& intents);

  /// What is to be remembered from now on; writes the differences to the last call.
  void record(const Remembered& now);

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  /// It may hold bases that must not be lost: it is left as it is, and this run keeps no journal.
  Remembered hands_off(const std::string& why);
  void set_aside(const JournalContent& content);
  bool rewrite(const Remembered& remembered, bool flush);
  bool append(const std::string& lines);

  std::string path_;
  bool usable_{true};  ///< false: there is a file that cannot be opened
  FileDescriptor file_{};
  std::size_t size_{};        ///< of the complete lines
  std::size_t rewrite_at_{};  ///< grown beyond this it is rewritten
  Remembered recorded_{};
  std::vector<std::string> messages_{};
  std::string problem_{};
};

}  // namespace lvs::monitord
