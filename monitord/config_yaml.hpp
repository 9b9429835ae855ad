#pragma once

// monitord.yaml and the files of conf.d: text -> Config, or every problem at once. Pure: the files
// are read elsewhere. The format is described in monitord.yaml(5).

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

struct CheckedConfig {
  Config config{};
  std::vector<strictyaml::Problem> warnings{};
};

/// The files as one: the lists under `services:` and `pools:` are joined, of everything else a
/// later file has the last word.
strictyaml::Document document_from_files(std::vector<strictyaml::TextFile> files);

/// For who keeps the document: what is wrong is among its problems.
Config config_from_node(const strictyaml::Node& root);

/// `files`, at least one, are monitord.yaml and those of conf.d in their order. On failure the
/// warnings are among the problems, in the order of the files.
tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_files(
    std::vector<strictyaml::TextFile> files);

/// The same of one file. `file` is only a name for messages. On failure the warnings are among the
/// problems, in the order of the file.
tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_yaml(std::string text,
                                                                               std::string file);

}  // namespace lvs::monitord
