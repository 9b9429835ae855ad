#include "monitord/rights.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "privileges/privileges.hpp"

namespace lvs::monitord {
namespace {

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_refused(const std::string& path, int mode) {
  return ::access(path.c_str(), mode) != 0 && errno == EACCES;
}

/// The journal is written anew beside itself, so its folder matters as well; first, since a file in
/// a folder that is closed cannot even be looked at.
std::string refused_part(const std::string& state_file) {
  auto folder = folder_of(state_file);
  if (is_refused(folder, W_OK | X_OK)) return folder;
  return is_refused(state_file, R_OK | W_OK) ? state_file : "";
}

/// Of root only: whoever else starts monitord never had more rights, and the journal says so
/// itself.
tl::expected<void, std::string> check_state_file(const std::string& state_file) {
  if (::geteuid() != 0) return {};
  const auto path = refused_part(state_file);
  if (path.empty()) return {};
  struct stat info {};
  const auto owner = ::stat(path.c_str(), &info) == 0 ? fmt::format("uid {}", info.st_uid)
                                                      : std::string("another user");
  return tl::unexpected<std::string>{fmt::format(
      "{} belongs to {}, and monitord gives up root's right to other people's files: start it as "
      "its unit does (systemctl start monitord), or let state: name another file",
      path, owner)};
}

}  // namespace

tl::expected<void, std::string> give_up_rights() {
  return privileges::keep_only({CAP_NET_ADMIN});
}

tl::expected<void, std::string> give_up_rights(Configuration& configuration) {
  if (auto done = give_up_rights(); !done) return done;
  const auto& config = configuration.config;
  auto files = configuration.places;
  files.push_back(config.agent.keys_file);
  for (auto& note : privileges::notes_about_reload(files))
    configuration.notes.push_back(std::move(note));
  return check_state_file(config.state_file);
}

}  // namespace lvs::monitord
