#pragma once

// Reads the configuration and the keys from their files.

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "realserver-agent/config/config.hpp"

namespace lvs::agent {

/// All that the agent runs by.
struct Setup {
  Config config{};
  std::vector<AgentKey> keys{};
  std::string warnings{};  ///< for people, lines; may be empty
};

/// What the command line says over the file; empty: the file's.
struct Overrides {
  std::string log_level{};
  std::string log_format{};
};

/// On failure the text for people: every problem, with place and hint.
tl::expected<Setup, std::string> load_config(const std::string& file);

/// As load_config, and with the keys that `security: keys` needs. A keys file that others may
/// use or the group may write is refused. Under systemd the credential `keys` comes before the
/// file.
tl::expected<Setup, std::string> load_setup(const std::string& file,
                                            const Overrides& overrides = {});

/// What is wrong with the files, all of it, without starting anything.
struct SetupCheck {
  std::string problems{};  ///< for people, lines; empty: a start would succeed, but for `warnings`
  std::string warnings{};
};

/// Keys that are not there, or that only root may read, are warned of: they come later and from the
/// director, and systemd hands them over. Those of a bad configuration are looked for at their
/// usual place.
SetupCheck check_setup(const std::string& file);

}  // namespace lvs::agent
