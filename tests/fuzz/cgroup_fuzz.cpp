// Any texts as the files of a cgroup, version 2 or 1 by the first byte: the files follow each other
// with a line "%%" between them, and "-" is one that is not there. What comes out is never more
// than the machine has.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "realserver-agent/cgroup/cgroup_v1.hpp"
#include "realserver-agent/cgroup/cgroup_v2.hpp"
#include "require.hpp"

using namespace lvs::agent;
using lvs::fuzz::require;

namespace {

constexpr Machine machine{.online_cpus = 4, .memory_kb = 1'000'000, .allowed_cpus = 3};

class Files {
 public:
  explicit Files(std::string_view text) : rest_{text} {}

  std::optional<std::string> next() {
    if (!rest_) return std::nullopt;
    const auto end = rest_->find(separator);
    const auto file = rest_->substr(0, end);
    if (end == std::string_view::npos) {
      rest_.reset();
    } else {
      rest_->remove_prefix(end + separator.size());
    }
    return file == "-" ? std::nullopt : std::optional<std::string>{file};
  }

 private:
  static constexpr std::string_view separator = "%%\n";
  std::optional<std::string_view> rest_;
};

void check(const tl::expected<CgroupCpu, ParseError>& cpu,
           const tl::expected<CgroupMemory, ParseError>& memory) {
  if (cpu) require(cpu_limit_x1000(*cpu, machine) <= machine.online_cpus * 1000U);
  if (!memory) return;
  require(memory_limit_kb(*memory, machine) <= machine.memory_kb);
  const auto used = memory_used_kb(*memory);
  if (used) require(memory->current_bytes && *used <= *memory->current_bytes / 1024 + 1);
}

void fuzz_v2(Files files) {
  CgroupV2Files all;
  for (auto* const file :
       {&all.cgroup_type, &all.cpu_max, &all.cpu_stat, &all.cpuset_cpus, &all.cpuset_cpus_effective,
        &all.memory_max, &all.memory_current, &all.memory_stat})
    *file = files.next();
  check(cpu_from_v2(all), memory_from_v2(all));
}

void fuzz_v1(Files files) {
  CgroupV1Files all;
  for (auto* const file :
       {&all.cfs_quota_us, &all.cfs_period_us, &all.cpuacct_usage, &all.cpuset_cpus,
        &all.effective_cpus, &all.limit_in_bytes, &all.usage_in_bytes, &all.memory_stat})
    *file = files.next();
  check(cpu_from_v1(all), memory_from_v1(all));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Files files{std::string_view{reinterpret_cast<const char*>(data) + 1, size - 1}};
  if (data[0] % 2 == 0) {
    fuzz_v2(files);
  } else {
    fuzz_v1(files);
  }
  return 0;
}
