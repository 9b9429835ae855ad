// The files behind proc_ip_vs.hpp.

#include <fmt/format.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "monitorctl/proc_ip_vs.hpp"

namespace lvs::monitorctl {
namespace {

std::optional<std::string> file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

std::string kernel_config_path() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("/boot/config-{}", names.release) : "";
}

}  // namespace

tl::expected<ProcTable, std::string> read_proc_table(const std::string& root) {
  const auto path = root + "/proc/net/ip_vs";
  const auto text = file_text(path);
  if (!text) return tl::unexpected(fmt::format("{}: {}", path, std::strerror(errno)));
  const auto config = file_text(root + kernel_config_path());
  const auto ticks = config ? ticks_per_second_from_config(*config) : std::nullopt;
  return proc_table_from_text(*text, ticks.value_or(0));
}

}  // namespace lvs::monitorctl
