#pragma once

// The journal's file. A record is one write(2) into the page cache before the kernel's table is
// written: that survives a kill -9 at any instruction. The disk follows in the background, since a
// flush would stall the control loop and a power loss takes the kernel's table with it anyway. A
// grown journal is rewritten there, too: fsync, then rename.
//
// Threading: one thread calls; what may wait for the disk goes to `background`. Errors: a full or
// missing disk never stops the loop; problem() says so until the journal is whole again. A record
// that does not fit is taken back, so that the file always ends with a complete line.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "monitord/background.hpp"
#include "monitord/journal_text.hpp"
#include "monitord/remembered.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitord {

class StateJournal {
 public:
  /// `boot`: the id of the running kernel's boot; empty: unknown. Without a `background` the work
  /// is done at once.
  explicit StateJournal(std::string path, std::string boot = {}, Background background = {})
      : path_(std::move(path)), boot_(std::move(boot)), background_(std::move(background)) {}

  /// Reads what an earlier process left and rewrites it in its shortest form. A journal that cannot
  /// be understood is renamed, never deleted, and messages() says so. Fails only when another
  /// process has the file in use.
  tl::expected<Memory, std::string> open();

  /// What a journal holds, without touching it; nothing where it cannot be understood.
  static Memory peek(const std::string& path, const std::string& boot = {});

  /// Right before these weights are written together. An intent for a destination whose base was
  /// not recorded says nothing and is left out. False: not all of them are on record now.
  bool intend(const std::vector<Intent>& intents);

  /// What is to be remembered from now on; writes the differences to the last call.
  void record(Memory now);
  /// The same but for what was learned, which stays as it was last given: lessons are much, and
  /// written more rarely.
  void record(Remembered destinations, const Orders& orders);

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Rewriting;
  using File = std::shared_ptr<FileDescriptor>;

  /// It may hold bases that must not be lost: it is left as it is, and this run keeps no journal.
  Memory hands_off(const std::string& why);
  void set_aside(const JournalContent& content);
  void cut_to_whole_lines(std::string_view text);
  bool rewrite(const Memory& memory, bool flush);
  bool append(const std::string& lines);
  void rewrite_when_grown();
  void in_background(std::function<void()> work) const;
  void flush_later();
  void start_rewriting();
  void finish_rewriting();
  void rewriting_failed(int error);

  std::string path_;
  std::string boot_;
  Background background_;
  bool usable_{true};         ///< false: there is a file that cannot be opened
  File file_{};               ///< null: there is none
  std::size_t size_{};        ///< of the complete lines
  std::size_t rewrite_at_{};  ///< grown beyond this it is rewritten
  Memory recorded_{};
  std::shared_ptr<Rewriting> rewriting_{};  ///< null: none is under way
  std::shared_ptr<std::atomic<bool>> flushing_{std::make_shared<std::atomic<bool>>(false)};
  std::vector<std::string> messages_{};
  std::string problem_{};
};

/// Of the running kernel; empty where it cannot be read.
std::string boot_id();

}  // namespace lvs::monitord
