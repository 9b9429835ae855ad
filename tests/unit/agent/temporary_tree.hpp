#pragma once

// A directory that lives as long as its object.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace lvs::agent {

class TemporaryTree {
 public:
  TemporaryTree() {
    std::string path = (std::filesystem::temp_directory_path() / "lvs-agent-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
    path_ = path;
  }
  ~TemporaryTree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryTree(const TemporaryTree&) = delete;
  TemporaryTree& operator=(const TemporaryTree&) = delete;

  /// Writes a file and makes its directories.
  std::string write(const std::string& file, std::string_view text) const {
    const auto path = path_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary} << text;
    return path.string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::string path(const std::string& file) const { return (path_ / file).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace lvs::agent
