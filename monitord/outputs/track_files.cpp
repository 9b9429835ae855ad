#include "monitord/outputs/track_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <system_error>

#include "ipvs/error.hpp"
#include "monitord/outputs/track_file.hpp"
#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

constexpr mode_t file_mode = 0644;
constexpr std::size_t most_bytes = 4096;

tl::unexpected<ipvs::Error> failed(const std::string& folder, const std::string& name, int error) {
  std::string message;
  if (error == ENOENT || error == ENOTDIR) {
    message = fmt::format(
        "the folder {} of track files is not there: make it, as one that the user of monitord may "
        "write to, then reload monitord, and keepalived, which has given its files up",
        folder);
  } else if (error == EACCES || error == EPERM || error == EROFS) {
    message = fmt::format(
        "{}/{}: {}: the user of monitord has to be able to write to the folder, "
        "and its unit to let it (ReadWritePaths=)",
        folder, name, std::generic_category().message(error));
  } else {
    message = fmt::format("{}/{}: {}", folder, name, std::generic_category().message(error));
  }
  return tl::unexpected(ipvs::Error{ipvs::ErrorKind::refused, error, std::move(message)});
}

/// Nothing when it cannot be read, whatever the reason.
std::optional<std::string> text_of(const std::string& folder, const std::string& name) {
  auto text = plainfile::text_from_file(folder + "/" + name, most_bytes);
  if (!text) return std::nullopt;
  return *std::move(text);
}

/// All of it, or errno.
int written(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    auto const count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? ENOSPC : errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

tl::expected<void, ipvs::Error> replace_track_file(const std::string& folder,
                                                   const std::string& name,
                                                   const std::string& text) {
  auto const target = folder + "/" + name;
  // keepalived watches names: this one it does not know.
  auto const fresh = folder + "/." + name + ".new";
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileDescriptor const file(::open(fresh.c_str(), flags, file_mode));
  if (!file.valid()) return failed(folder, name, errno);
  int error = written(file.get(), text);
  // Whatever the umask was: keepalived's scripts and people may read it.
  if (error == 0 && ::fchmod(file.get(), file_mode) != 0) error = errno;
  if (error == 0 && std::rename(fresh.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(fresh.c_str());
  return failed(folder, name, error);
}

void TrackFiles::declare(const std::vector<OutputPool>& pools, bool acts, Moment /*now*/) {
  folders_.clear();
  problems_.clear();
  for (auto const& pool : pools) {
    folders_[pool.service] = pool.place;
    for (auto const& server : pool.servers) {
      auto const name = track_file_name(server.key);
      auto const text = text_of(pool.place, name);
      if (!acts || (text && !is_unsaid(*text))) continue;
      auto const made = replace_track_file(pool.place, name, track_file_text(server.base));
      if (made) continue;
      problems_[pool.service] = made.error().message;
      break;  // the others of the folder would say the same
    }
  }
}

std::vector<Output::Result> TrackFiles::apply(const ipvs::ServiceKey& service,
                                              std::span<const OutputServer> weights) {
  std::vector<Result> results;
  auto const folder = folders_.find(service);
  for (auto const& server : weights) {
    if (folder == folders_.end()) {
      results.push_back(tl::unexpected(ipvs::no_such_service_error(service)));
      continue;
    }
    auto const name = track_file_name(server.key);
    auto const text = track_file_text(server.weight);
    bool const is_there = text_of(folder->second, name) == text;
    results.push_back(is_there ? Result{} : replace_track_file(folder->second, name, text));
    if (results.back()) problems_.erase(service);
  }
  return results;
}

std::vector<std::string> TrackFiles::notes(Moment /*now*/) const {
  std::vector<std::string> notes;
  for (auto const& [service, problem] : problems_)
    notes.push_back(ipvs::string_from_service_key(service) + ": " + problem);
  return notes;
}

}  // namespace lvs::monitord
