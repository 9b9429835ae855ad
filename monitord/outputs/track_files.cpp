#include "monitord/outputs/track_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <utility>

#include "ipvs/error.hpp"
#include "monitord/outputs/replaced_file.hpp"
#include "monitord/outputs/track_file.hpp"
#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t most_bytes = 4096;

Output::Result failed(const std::string& folder, const std::string& name, int error) {
  auto message = reason_of_file_error(folder, name, error);
  if (error == ENOENT || error == ENOTDIR) {
    message = fmt::format(
        "the folder {} of track files is not there: make it, as one that the user of monitord may "
        "write to, then reload monitord, and keepalived, which has given its files up",
        folder);
  }
  return tl::unexpected(ipvs::Error{ipvs::ErrorKind::refused, error, std::move(message)});
}

/// Nothing when it cannot be read, whatever the reason.
std::optional<std::string> text_of(const std::string& folder, const std::string& name) {
  auto text = plainfile::text_from_file(folder + "/" + name, most_bytes);
  if (!text) return std::nullopt;
  return *std::move(text);
}

Output::Result replace_track_file(const std::string& folder, const std::string& name,
                                  const std::string& text) {
  auto const error = replace_file(folder, name, text);
  if (error == 0) return {};
  return failed(folder, name, error);
}

}  // namespace

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
