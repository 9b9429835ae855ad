#pragma once

// /proc/PID/status of a process or of one of its threads.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace lvs::testing {

/// "CapEff" -> "0000000000001000"; empty where there is no such process.
inline std::map<std::string, std::string> status_from_file(const std::filesystem::path& file) {
  std::map<std::string, std::string> fields;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    auto const colon = line.find(":\t");
    if (colon != std::string::npos) fields[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return fields;
}

/// Of each of its threads: capabilities are theirs, not the process's.
inline std::vector<std::map<std::string, std::string>> statuses_of_threads(int pid) {
  std::vector<std::map<std::string, std::string>> all;
  for (auto const& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task"))
    all.push_back(status_from_file(thread.path() / "status"));
  return all;
}

}  // namespace lvs::testing
