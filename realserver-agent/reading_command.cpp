#include "realserver-agent/reading_command.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "agentproto/sample.hpp"
#include "realserver-agent/reading_json.hpp"
#include "realserver-agent/root.hpp"
#include "realserver-agent/sampler.hpp"
#include "realserver-agent/snapshot_reader.hpp"

namespace lvs::agent {
namespace {

bool is_root_directory(const Root& root, const std::string& path) {
  if (root.exists("proc")) return true;
  fmt::print(stderr, "realserver-agent: {}: no directory with a proc in it\n", path);
  return false;
}

std::uint16_t user_hz() {
  return static_cast<std::uint16_t>(::sysconf(_SC_CLK_TCK));
}

int print(const agentproto::Sample& before, const Sampler& sampler) {
  fmt::print("{}", json_from_reading(before, sampler.last(), sampler.problems()));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int print_reading_of(const std::string& before, const std::string& after) {
  const Root first{before};
  const Root second{after};
  if (!is_root_directory(first, before) || !is_root_directory(second, after)) return 1;
  Sampler sampler{user_hz()};
  const agentproto::Sample earlier = sampler.take(read_snapshot(first, ""));
  sampler.take(read_snapshot(second, ""));
  return print(earlier, sampler);
}

int print_reading_over(const std::string& path, const std::string& drain_file,
                       std::chrono::nanoseconds interval) {
  const Root root{path};
  if (!is_root_directory(root, path)) return 1;
  Sampler sampler{user_hz()};
  const agentproto::Sample earlier = sampler.take(read_snapshot(root, drain_file));
  std::this_thread::sleep_for(interval);
  sampler.take(read_snapshot(root, drain_file));
  return print(earlier, sampler);
}

}  // namespace lvs::agent
