#include "monitord/config_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

/// Far beyond any table that IPVS holds; a wrong path (a disk, a log) must not fill the memory.
/// Of all files together.
constexpr std::size_t most_bytes = std::size_t{16} * 1024 * 1024;
constexpr std::size_t most_files = 1000;

std::string failure(const std::string& path, const std::string& why) {
  return fmt::format("{}: error: {}\n", path, why);
}

/// As people with an editor and dpkg leave them: ".10-web.yaml.swp", "10-web.yaml~",
/// "10-web.yaml.dpkg-new" are none.
bool is_part(const std::string& name) {
  return name.ends_with(".yaml") && !name.starts_with(".");
}

std::size_t bytes_of(const ConfigFiles& found) {
  std::size_t bytes = 0;
  for (const auto& file : found.files)
    bytes += file.text.size();
  return bytes;
}

void read_file(const std::string& path, ConfigFiles& found) {
  found.places.push_back(path);
  const std::size_t left = most_bytes - std::min(most_bytes, bytes_of(found));
  auto text = plainfile::text_from_file(path, left);
  if (text) {
    found.files.push_back({path, *std::move(text)});
  } else if (text.error().error == EFBIG && !found.files.empty()) {
    found.failures += failure(path, "with it the configuration is larger than 16 MiB");
  } else {
    found.failures += failure(path, text.error().reason);
  }
}

/// Names of the folder, sorted; "error" of a folder that is not there is none.
std::error_code list_folder(const std::string& folder, std::vector<std::string>& parts,
                            ConfigFiles& found) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (is_part(name)) {
      parts.push_back(std::move(name));
    } else if (name.ends_with(".yml") && !name.starts_with(".")) {
      found.notes.push_back(fmt::format(
          "{}/{} is not read: a part of the configuration ends in .yaml", folder, name));
    }
    if (parts.size() > most_files) break;
  }
  std::ranges::sort(parts);
  std::ranges::sort(found.notes);
  return error == std::errc::no_such_file_or_directory ? std::error_code{} : error;
}

}  // namespace

std::string folder_beside(const std::string& main_file) {
  return (std::filesystem::path(main_file).parent_path() / "conf.d").string();
}

void add_folder_beside(const std::string& main_file, ConfigFiles& found) {
  const std::string folder = folder_beside(main_file);
  found.places.push_back(folder);
  std::vector<std::string> parts;
  if (const auto error = list_folder(folder, parts, found)) {
    found.failures += failure(folder, "cannot be read: " + error.message());
    return;
  }
  if (parts.size() > most_files) {
    found.failures += failure(folder, fmt::format("holds more than {} files", most_files));
    return;
  }
  for (const auto& name : parts)
    read_file(fmt::format("{}/{}", folder, name), found);
}

ConfigFiles files_of_config(const std::string& main_file) {
  ConfigFiles found;
  read_file(main_file, found);
  add_folder_beside(main_file, found);
  return found;
}

}  // namespace lvs::monitord
