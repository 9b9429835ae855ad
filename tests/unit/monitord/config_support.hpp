#pragma once

// Golden files of configurations: NAME.yaml and what is said about it in NAME.txt.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lvs::monitord {

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::vector<std::filesystem::path> yaml_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator{LVS_SOURCE_DIR "/" + folder}) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string expected_text(std::filesystem::path yaml) {
  return text_of_file(yaml.replace_extension(".txt"));
}

}  // namespace lvs::monitord
