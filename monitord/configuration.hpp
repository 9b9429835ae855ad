#pragma once

// The files that tell monitord what to do: monitord.yaml and keys.yaml.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/poll_engine.hpp"

namespace lvs::monitord {

inline constexpr const char* default_config_file = "/etc/monitord/monitord.yaml";

/// What the command line says over the file.
struct Overrides {
  bool dry_run{};
  std::string log_level{};    ///< empty: the file's
  std::string record_file{};  ///< empty: the file's
};

struct Configuration {
  Config config{};
  std::vector<PollKey> keys{};
  std::string warnings{};            ///< for people; may have several lines
  std::vector<std::string> notes{};  ///< what is missing
};

/// Reads and checks both files. A missing keys file is a note: without it agents are not asked, and
/// every weight is held. The error is the text for people, with all problems.
tl::expected<Configuration, std::string> read_configuration(const std::string& file,
                                                            const Overrides& overrides);

/// Where there is no configuration: the defaults, in a dry run.
tl::expected<Configuration, std::string> default_configuration(const Overrides& overrides);

PollSettings poll_settings_from(const Configuration& configuration);

}  // namespace lvs::monitord
