#include "realserver-agent/sampler.hpp"

#include <cstdint>

namespace lvs::agent {
namespace {

/// Longer than this without a tick is no short interval but a counter that stands still.
constexpr std::uint64_t short_interval_ns = 1'000'000'000;

std::uint64_t usage_of(const agentproto::Sample& sample) {
  return sample.cgroup ? sample.cgroup->usage_us : 0;
}

bool no_tick_passed(const agentproto::Sample& before, const agentproto::Sample& after) {
  return before.cpu && before.cpu == after.cpu && usage_of(before) == usage_of(after) &&
         after.boottime_ns - before.boottime_ns < short_interval_ns;
}

}  // namespace

const agentproto::Sample& Sampler::take(const Snapshot& snapshot, std::uint64_t line_rate_bits) {
  problems_ = snapshot.problems;
  agentproto::Sample sample{.boottime_ns = snapshot.boottime_ns,
                            .boot_id = snapshot.boot_id,
                            .draining = snapshot.draining,
                            .first = !started_};
  if (snapshot.stat) {
    if (const auto cpu = cpu_.add(snapshot.stat->cpus, snapshot.boottime_ns)) {
      sample.cpu = *cpu;
    } else {
      problems_.push_back({Problem::Kind::cpu, cpu.error()});
    }
  }
  sample.memory = snapshot.memory;
  sample.pressure = snapshot.pressure;
  sample.run_queue = snapshot.run_queue;
  sample.network = snapshot.network;
  if (sample.network && line_rate_bits != 0) sample.network->line_rate_bits = line_rate_bits;
  if (snapshot.disks) sample.disk_busy_ms = disk_.add(*snapshot.disks);
  sample.processes = snapshot.processes;
  sample.cgroup = snapshot.cgroup;
  sample.partial = !problems_.empty();
  if (started_ && no_tick_passed(last_, sample)) {
    sample.boottime_ns = last_.boottime_ns;
    sample.first = last_.first;
  }
  last_ = sample;
  started_ = true;
  return last_;
}

}  // namespace lvs::agent
