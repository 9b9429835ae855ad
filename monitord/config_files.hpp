#pragma once

// Which files make a configuration: monitord.yaml, and those of the folder conf.d beside it.

#include <string>
#include <vector>

#include "strictyaml/document.hpp"

namespace lvs::monitord {

struct ConfigFiles {
  std::vector<strictyaml::TextFile> files{};  ///< those that could be read, in their order
  std::vector<std::string> places{};          ///< all of them, and the folder
  std::string failures{};                     ///< what could not be read: lines for people
  std::vector<std::string> notes{};           ///< files that look like a part, and are none
};

/// "/etc/monitord/conf.d" of "/etc/monitord/monitord.yaml".
std::string folder_beside(const std::string& main_file);

/// Adds conf.d/*.yaml in the order of the bytes of their names. What begins with a dot or ends in
/// anything else (an editor's copies, what dpkg puts aside) is no part of the configuration. A
/// folder that is not there holds nothing; one of its files that cannot be read is a failure.
void add_folder_beside(const std::string& main_file, ConfigFiles& found);

/// The main file and those of its folder.
ConfigFiles files_of_config(const std::string& main_file);

}  // namespace lvs::monitord
