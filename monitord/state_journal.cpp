#include "monitord/state_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t smallest_rewrite = 1 << 20;
constexpr mode_t journal_mode = 0640;
/// It is written anew when it has doubled; a million destinations do not fill this.
constexpr std::size_t largest_journal = std::size_t{1} << 30U;

std::string reason(int error) {
  return std::generic_category().message(error);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      if (written == 0) errno = ENOSPC;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The lock goes with the open file: it ends with the process, however that ends.
bool lock(const FileDescriptor& file) {
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

/// The rename is on the disk only when the folder is.
void flush_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto folder = slash == std::string::npos ? std::string(".") : path.substr(0, slash + 1);
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.valid()) ::fsync(opened.get());
}

}  // namespace

tl::expected<Remembered, std::string> StateJournal::open() {
  file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC));
  if (file_.valid()) {
    if (!lock(file_)) {
      return tl::make_unexpected(fmt::format(
          "{} is in use by another process; give each monitord its own state file", path_));
    }
    const auto read = plainfile::rest_of(file_, largest_journal);
    if (!read) return hands_off(read.error().reason);
    const auto& text = *read;
    auto content = journal_from_text(text);
    if (content.fault == JournalContent::Fault::none) {
      recorded_ = std::move(content.remembered);
      // A line that a kill cut off must not become the head of the next one.
      size_ = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
      if (size_ < text.size() && ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) {
        file_ = FileDescriptor();
      }
    } else {
      set_aside(content);
    }
  } else if (errno != ENOENT) {
    return hands_off(reason(errno));
  }
  rewrite(recorded_, true);
  return recorded_;
}

Remembered StateJournal::peek(const std::string& path) {
  const auto text = plainfile::text_from_file(path, largest_journal);
  return text ? journal_from_text(*text).remembered : Remembered{};
}

Remembered StateJournal::hands_off(const std::string& why) {
  problem_ = fmt::format("{}: {}; nothing is remembered in this run", path_, why);
  usable_ = false;
  file_ = FileDescriptor();
  return {};
}

void StateJournal::set_aside(const JournalContent& content) {
  file_ = FileDescriptor();
  const bool newer = content.fault == JournalContent::Fault::newer_version;
  std::string aside;
  for (int number = 1; aside.empty() || exists(aside); ++number) {
    aside = fmt::format("{}.{}-{}", path_, newer ? "newer" : "corrupt", number);
  }
  const auto why = newer ? std::string("was written by a newer monitord")
                         : fmt::format("cannot be understood at line {}", content.line);
  if (::rename(path_.c_str(), aside.c_str()) == 0) {
    messages_.push_back(fmt::format("{} {}: kept as {}; base weights are taken from the kernel",
                                    path_, why, aside));
  } else {
    problem_ = fmt::format("{} {} and cannot be renamed: {}", path_, why, reason(errno));
  }
}

bool StateJournal::rewrite(const Remembered& remembered, bool flush) {
  const auto fresh_path = path_ + ".new";
  const auto text = journal_text(remembered);
  FileDescriptor fresh(::open(fresh_path.c_str(),
                              O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                              journal_mode));
  const bool done = fresh.valid() && lock(fresh) && write_all(fresh.get(), text) &&
                    (!flush || ::fsync(fresh.get()) == 0) &&
                    ::rename(fresh_path.c_str(), path_.c_str()) == 0;
  if (!done) {
    problem_ = fmt::format("cannot write {}: {}", path_, reason(errno));
    if (fresh.valid()) ::unlink(fresh_path.c_str());
    // Not again before it has doubled: the old file still takes lines, and is whole.
    rewrite_at_ = std::max(smallest_rewrite, 2 * size_);
    return false;
  }
  if (flush) flush_folder_of(path_);
  file_ = std::move(fresh);
  size_ = text.size();
  rewrite_at_ = std::max(smallest_rewrite, 2 * size_);
  recorded_ = remembered;
  problem_.clear();
  return true;
}

bool StateJournal::append(const std::string& lines) {
  if (write_all(file_.get(), lines)) {
    size_ += lines.size();
    problem_.clear();
    return true;
  }
  problem_ = fmt::format("cannot write {}: {}", path_, reason(errno));
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) file_ = FileDescriptor();
  return false;
}

void StateJournal::intend(const std::vector<Intent>& intents) {
  if (!file_.valid()) return;
  std::string lines;
  for (const auto& intent : intents) {
    if (recorded_.contains(intent.id)) lines += journal_line_intent(intent.id, intent.to);
  }
  if (lines.empty() || !append(lines)) return;
  for (const auto& intent : intents) {
    const auto known = recorded_.find(intent.id);
    if (known != recorded_.end()) known->second.intended = intent.to;
  }
}

void StateJournal::record(const Remembered& now) {
  if (!usable_) return;
  if (!file_.valid()) {
    rewrite(now, false);
    return;
  }
  const auto lines = journal_lines_between(recorded_, now);
  if (lines.empty()) return;
  if (!append(lines)) return;
  recorded_ = now;
  if (size_ > rewrite_at_) rewrite(now, false);
}

}  // namespace lvs::monitord
