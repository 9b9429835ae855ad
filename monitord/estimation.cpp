#include "monitord/estimation.hpp"

#include <cstddef>

#include "plainfile/plain_file.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t longest_line = 4096;

std::string_view without_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \n") + 1);
}

}  // namespace

bool counters_run_from_text(std::string_view run_estimation, const std::string* cpu_list) {
  if (cpu_list != nullptr && without_end(*cpu_list).empty()) return false;
  return without_end(run_estimation) == "1";
}

bool counters_run(const std::string& folder) {
  const auto run = plainfile::text_from_file(folder + "/run_estimation", longest_line);
  if (!run) return false;
  const auto cpus = plainfile::text_from_file(folder + "/est_cpulist", longest_line);
  return counters_run_from_text(*run, cpus ? &*cpus : nullptr);
}

}  // namespace lvs::monitord
