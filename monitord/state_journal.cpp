#include "monitord/state_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "monitord/journal_file.hpp"
#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t smallest_rewrite = 1 << 20;
/// It is written anew when it has doubled; a million destinations do not fill this.
constexpr std::size_t largest_journal = std::size_t{1} << 30U;

}  // namespace

/// A journal that is written anew beside the old one, which takes lines meanwhile.
struct StateJournal::Rewriting {
  enum class Step { running, done, failed };
  File file{};
  std::string path{};
  std::string later{};  ///< lines that the old one has got since; the control thread's alone
  std::atomic<Step> step{Step::running};
  std::atomic<int> error{};
};

tl::expected<Memory, std::string> StateJournal::open() {
  const int opened = ::open(path_.c_str(), O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0 && errno != ENOENT) return hands_off(reason(errno));
  if (opened >= 0) file_ = std::make_shared<FileDescriptor>(opened);
  if (file_ && !lock(*file_)) {
    return tl::make_unexpected(fmt::format(
        "{} is in use by another process; give each monitord its own state file", path_));
  }
  if (file_) {
    const auto read = plainfile::rest_of(*file_, largest_journal);
    if (!read) return hands_off(read.error().reason);
    auto content = journal_from_text(*read);
    if (content.fault != JournalContent::Fault::none) set_aside(content);
    if (content.unusable_lessons > 0) {
      messages_.push_back(
          fmt::format("{}: {} lessons about servers cannot be used and are learned anew", path_,
                      content.unusable_lessons));
    }
    recorded_ = std::move(content.memory);
    cut_to_whole_lines(*read);
  }
  const bool of_other_boot = !recorded_.boot.empty() && !boot_.empty() && recorded_.boot != boot_;
  forget_other_boot(recorded_, boot_);
  // Nothing of this boot may stand under the head of another: the next start would drop it.
  if (!rewrite(recorded_, true) && of_other_boot) file_.reset();
  return recorded_;
}

/// A line that a kill cut off must not become the head of the next one.
void StateJournal::cut_to_whole_lines(std::string_view text) {
  const auto end = text.rfind('\n');
  size_ = end == std::string_view::npos ? 0 : end + 1;
  const bool cut = file_ && size_ < text.size();
  if (cut && ::ftruncate(file_->get(), static_cast<off_t>(size_)) != 0) file_.reset();
}

Memory StateJournal::peek(const std::string& path, const std::string& boot) {
  const auto text = plainfile::text_from_file(path, largest_journal);
  if (!text) return {};
  auto memory = journal_from_text(*text).memory;
  forget_other_boot(memory, boot);
  return memory;
}

Memory StateJournal::hands_off(const std::string& why) {
  problem_ = fmt::format("{}: {}; nothing is remembered in this run", path_, why);
  usable_ = false;
  file_.reset();
  return {};
}

void StateJournal::set_aside(const JournalContent& content) {
  file_.reset();
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

/// At the start, and where the file is gone: without it there is nothing to append to meanwhile.
bool StateJournal::rewrite(const Memory& memory, bool flush) {
  const auto fresh_path = path_ + ".new";
  const auto text = journal_text(memory);
  auto fresh = std::make_shared<FileDescriptor>(fresh_file(fresh_path));
  const bool done = fresh->valid() && lock(*fresh) && write_all(fresh->get(), text) &&
                    (!flush || ::fsync(fresh->get()) == 0) &&
                    ::rename(fresh_path.c_str(), path_.c_str()) == 0;
  // Not again before it has doubled: the old file still takes lines, and is whole.
  rewrite_at_ = std::max(smallest_rewrite, 2 * (done ? text.size() : size_));
  if (!done) {
    problem_ = fmt::format("cannot write {}: {}", path_, reason(errno));
    if (fresh->valid()) ::unlink(fresh_path.c_str());
    return false;
  }
  if (flush) flush_folder_of(path_);
  file_ = std::move(fresh);
  size_ = text.size();
  reserve_behind(*file_, size_);
  recorded_ = memory;
  problem_.clear();
  return true;
}

void StateJournal::in_background(std::function<void()> work) const {
  if (background_) {
    background_(std::move(work));
  } else {
    work();
  }
}

/// One flush at a time: what is appended while it runs goes with the next one.
void StateJournal::flush_later() {
  if (flushing_->exchange(true)) return;
  in_background([file = file_, flushing = flushing_] {
    flushing->store(false);
    ::fdatasync(file->get());
  });
}

bool StateJournal::append(const std::string& lines) {
  if (write_all(file_->get(), lines)) {
    size_ += lines.size();
    if (rewriting_) rewriting_->later += lines;
    problem_.clear();
    flush_later();
    return true;
  }
  problem_ = fmt::format("cannot write {}: {}", path_, reason(errno));
  if (::ftruncate(file_->get(), static_cast<off_t>(size_)) != 0) file_.reset();
  return false;
}

void StateJournal::start_rewriting() {
  auto started = std::make_shared<Rewriting>();
  started->path = path_ + ".new";
  started->file = std::make_shared<FileDescriptor>(fresh_file(started->path));
  rewriting_ = started;
  if (!started->file->valid() || !lock(*started->file)) return rewriting_failed(errno);
  in_background([started, text = journal_text(recorded_)] {
    const int file = started->file->get();
    const bool done = write_all(file, text) && ::fsync(file) == 0;
    if (!done) started->error = errno;
    started->step = done ? Rewriting::Step::done : Rewriting::Step::failed;
  });
}

/// The new file gets what the old one has got meanwhile, and takes its place.
void StateJournal::finish_rewriting() {
  if (!rewriting_ || rewriting_->step == Rewriting::Step::running) return;
  if (rewriting_->step == Rewriting::Step::failed) return rewriting_failed(rewriting_->error);
  struct stat info {};
  const int fresh = rewriting_->file->get();
  const bool done = write_all(fresh, rewriting_->later) && ::fstat(fresh, &info) == 0 &&
                    ::rename(rewriting_->path.c_str(), path_.c_str()) == 0;
  if (!done) return rewriting_failed(errno);
  file_ = rewriting_->file;
  size_ = static_cast<std::size_t>(info.st_size);
  reserve_behind(*file_, size_);
  rewrite_at_ = std::max(smallest_rewrite, 2 * size_);
  rewriting_.reset();
  flush_later();
  in_background([path = path_] { flush_folder_of(path); });
}

void StateJournal::rewriting_failed(int error) {
  problem_ = fmt::format("cannot write {}: {}", path_, reason(error));
  ::unlink(rewriting_->path.c_str());
  rewriting_.reset();
  rewrite_at_ = std::max(smallest_rewrite, 2 * size_);
}

bool StateJournal::intend(const std::vector<Intent>& intents) {
  if (!file_) return false;
  std::string lines;
  bool whole = true;
  for (const auto& intent : intents) {
    if (recorded_.destinations.contains(intent.id)) {
      lines += journal_line_intent(intent);
    } else {
      whole = false;
    }
  }
  if (lines.empty()) return whole;
  if (!append(lines)) return false;
  for (const auto& intent : intents) {
    const auto known = recorded_.destinations.find(intent.id);
    if (known == recorded_.destinations.end()) continue;
    known->second.intended = intent.to;
    if (intent.to == 0) known->second.own_zero = intent.zero;
  }
  return whole;
}

void StateJournal::record(Memory now) {
  if (!usable_) return;
  now.boot = boot_;
  finish_rewriting();
  if (!file_) {
    rewrite(now, false);
    return;
  }
  const auto lines = journal_lines_between(recorded_, now);
  if (lines.empty() || !append(lines)) return;
  recorded_ = std::move(now);
  rewrite_when_grown();
}

void StateJournal::record(Remembered destinations, const Orders& orders) {
  if (!usable_) return;
  finish_rewriting();
  if (!file_) {
    rewrite({boot_, std::move(destinations), recorded_.learned, orders}, false);
    return;
  }
  const auto lines = journal_lines_between(recorded_, destinations, orders);
  if (lines.empty() || !append(lines)) return;
  recorded_.destinations = std::move(destinations);
  recorded_.orders = orders;
  rewrite_when_grown();
}

void StateJournal::rewrite_when_grown() {
  if (size_ <= rewrite_at_ || rewriting_) return;
  start_rewriting();
  finish_rewriting();
}

std::string boot_id() {
  auto text = plainfile::text_from_file("/proc/sys/kernel/random/boot_id", 64);
  if (!text) return {};
  std::erase(*text, '\n');
  return *std::move(text);
}

}  // namespace lvs::monitord
