#pragma once

// The files that tell monitord what to do: monitord.yaml, those of conf.d, and keys.yaml.

#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/poll_engine.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

inline constexpr const char* default_config_file = "/etc/monitord/monitord.yaml";

/// What the command line says over the file.
struct Overrides {
  bool dry_run{};
  std::string log_level{};    ///< empty: the file's
  std::string log_format{};   ///< empty: the file's
  std::string record_file{};  ///< empty: the file's
};

struct Configuration {
  Config config{};
  std::vector<PollKey> keys{};
  std::string warnings{};            ///< for people; may have several lines
  std::vector<std::string> notes{};  ///< what is missing
  /// What config was made of, for who asks where a value comes from; null: of no file.
  std::shared_ptr<const strictyaml::Document> document{};
  std::map<std::string, std::string> other_origins{};  ///< as config_text.hpp has them
  std::vector<std::string> places{};  ///< the files, and the folder, that a reload reads again
};

/// Reads and checks all files. A missing keys file is a note: without it agents are not asked, and
/// every weight is held. The error is the text for people, with all problems.
tl::expected<Configuration, std::string> read_configuration(const std::string& file,
                                                            const Overrides& overrides);

/// Where there is no configuration: the defaults, in a dry run.
tl::expected<Configuration, std::string> default_configuration(const Overrides& overrides);

/// The configuration in effect, as YAML with the origin of every value.
std::string shown_configuration(const Configuration& configuration);

PollSettings poll_settings_from(const Configuration& configuration);

}  // namespace lvs::monitord
