#include "privileges/privileges.hpp"

#include <cap-ng.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace lvs::privileges {
namespace {

tl::unexpected<std::string> failed(std::string_view step) {
  return tl::unexpected<std::string>{
      fmt::format("cannot give up the rights that are not needed: {}: {}", step,
                  std::generic_category().message(errno))};
}

/// What of `kept` is there. Taking what is not there would be refused.
std::vector<unsigned> held(std::initializer_list<unsigned> kept) {
  std::vector<unsigned> capabilities;
  for (const unsigned capability : kept) {
    if (capng_have_capability(CAPNG_PERMITTED, capability) != 0) capabilities.push_back(capability);
  }
  return capabilities;
}

bool has_more_than(const std::vector<unsigned>& capabilities) {
  if (capng_get_caps_process() != 0) return true;
  for (unsigned capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if (std::ranges::find(capabilities, capability) != capabilities.end()) continue;
    if (capng_have_capability(CAPNG_PERMITTED, capability) != 0) return true;
  }
  return false;
}

}  // namespace

tl::expected<void, std::string> keep_only(std::initializer_list<unsigned> kept) {
  // First: with it a bounding set that cannot be narrowed gives nothing to anybody.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
  if (capng_get_caps_process() != 0) return failed("capget");
  const bool may_narrow = capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP) != 0;
  const auto capabilities = held(kept);
  capng_clear(CAPNG_SELECT_BOTH);
  for (const unsigned capability : capabilities) {
    for (const auto set : {CAPNG_PERMITTED, CAPNG_EFFECTIVE, CAPNG_BOUNDING_SET})
      capng_update(CAPNG_ADD, set, capability);
  }
  // The ambient set goes with the inheritable one.
  if (capng_apply(may_narrow ? CAPNG_SELECT_BOTH : CAPNG_SELECT_CAPS) == 0) return {};
  // A filter of system calls may forbid capset. That matters only where there is more to give up.
  auto refused = failed("capset");
  if (has_more_than(capabilities)) return refused;
  return {};
}

std::vector<std::string> notes_about_reload(const std::vector<std::string>& files) {
  std::vector<std::string> notes;
  for (const auto& file : files) {
    if (::access(file.c_str(), R_OK) == 0 || errno != EACCES) continue;
    notes.push_back(
        fmt::format("{0}: a reload will not be able to read it, for the right to read "
                    "other people's files was given up: chown root {0}",
                    file));
  }
  return notes;
}

}  // namespace lvs::privileges
