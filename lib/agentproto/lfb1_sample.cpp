#include "agentproto/lfb1_sample.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "agentproto/lfb1.hpp"
#include "agentproto/sample.hpp"
#include "agentproto/wire.hpp"

namespace lvs::agentproto {
namespace {

enum class Tlv : std::uint8_t {
  name_hash = 0x01,
  boot_id = 0x02,
  cpu = 0x10,
  memory = 0x11,
  pressure = 0x12,
  run_queue = 0x13,
  network = 0x14,
  disk = 0x15,
  processes = 0x16,
  cgroup = 0x17,
};

/// Value length of a known type; empty: unknown. All of them fit into one reply at once.
constexpr std::optional<std::uint8_t> length_of(Tlv type) {
  switch (type) {
    case Tlv::name_hash:
      return std::uint8_t{8};
    case Tlv::boot_id:
      return std::uint8_t{16};
    case Tlv::cpu:
      return std::uint8_t{68};
    case Tlv::memory:
      return std::uint8_t{32};
    case Tlv::pressure:
      return std::uint8_t{40};
    case Tlv::run_queue:
      return std::uint8_t{12};
    case Tlv::network:
      return std::uint8_t{24};
    case Tlv::disk:
      return std::uint8_t{8};
    case Tlv::processes:
      return std::uint8_t{4};
    case Tlv::cgroup:
      return std::uint8_t{32};
  }
  return std::nullopt;
}

constexpr std::size_t longest_reply() {
  std::size_t size = 32 + 16;
  for (unsigned type = 0; type <= 0xFF; ++type) {
    const auto length = length_of(static_cast<Tlv>(type));
    if (length) size += 2U + *length;
  }
  return size;
}
static_assert(longest_reply() <= max_reply_size, "every TLV of a sample fits at once");

void append_head(Writer& out, Tlv type) {
  out.integer(static_cast<std::uint8_t>(type));
  out.integer(*length_of(type));
}

template <typename... Integers>
void append(Writer& out, Tlv type, Integers... values) {
  append_head(out, type);
  (out.integer(values), ...);
}

CpuTimes cpu_from(Reader in) {
  CpuTimes cpu{};
  cpu.cpus = in.integer<std::uint16_t>();
  cpu.user_hz = in.integer<std::uint16_t>();
  for (std::uint64_t* field : {&cpu.user, &cpu.nice, &cpu.system, &cpu.idle, &cpu.iowait, &cpu.irq,
                               &cpu.softirq, &cpu.steal}) {
    *field = in.integer<std::uint64_t>();
  }
  return cpu;
}

Memory memory_from(Reader in) {
  Memory memory{};
  for (std::uint64_t* field :
       {&memory.total_kb, &memory.available_kb, &memory.swap_total_kb, &memory.swap_free_kb}) {
    *field = in.integer<std::uint64_t>();
  }
  return memory;
}

Pressure pressure_from(Reader in) {
  Pressure pressure{};
  for (std::uint64_t* field :
       {&pressure.cpu_some_us, &pressure.memory_some_us, &pressure.memory_full_us,
        &pressure.io_some_us, &pressure.io_full_us}) {
    *field = in.integer<std::uint64_t>();
  }
  return pressure;
}

RunQueue run_queue_from(Reader in) {
  RunQueue queue{};
  for (std::uint32_t* field : {&queue.load1_x100, &queue.procs_running, &queue.procs_blocked}) {
    *field = in.integer<std::uint32_t>();
  }
  return queue;
}

Network network_from(Reader in) {
  Network network{};
  for (std::uint64_t* field :
       {&network.received_bytes, &network.sent_bytes, &network.line_rate_bits}) {
    *field = in.integer<std::uint64_t>();
  }
  return network;
}

CgroupLimits cgroup_from(Reader in) {
  CgroupLimits limits{};
  for (std::uint64_t* field :
       {&limits.usage_us, &limits.cpus_x1000, &limits.memory_limit_kb, &limits.memory_used_kb}) {
    *field = in.integer<std::uint64_t>();
  }
  return limits;
}

/// `value` has the length of its type.
void read_value(Tlv type, Reader value, Reply& reply) {
  Sample& sample = reply.sample;
  switch (type) {
    case Tlv::name_hash:
      reply.name_hash = value.array<8>();
      break;
    case Tlv::boot_id:
      sample.boot_id = value.array<16>();
      break;
    case Tlv::cpu:
      sample.cpu = cpu_from(value);
      break;
    case Tlv::memory:
      sample.memory = memory_from(value);
      break;
    case Tlv::pressure:
      sample.pressure = pressure_from(value);
      break;
    case Tlv::run_queue:
      sample.run_queue = run_queue_from(value);
      break;
    case Tlv::network:
      sample.network = network_from(value);
      break;
    case Tlv::disk:
      sample.disk_busy_ms = value.integer<std::uint64_t>();
      break;
    case Tlv::processes:
      sample.processes = value.integer<std::uint32_t>();
      break;
    case Tlv::cgroup:
      sample.cgroup = cgroup_from(value);
      break;
  }
}

void append_cpu(Writer& out, const CpuTimes& cpu) {
  append(out, Tlv::cpu, cpu.cpus, cpu.user_hz, cpu.user, cpu.nice, cpu.system, cpu.idle, cpu.iowait,
         cpu.irq, cpu.softirq, cpu.steal);
}

void append_pressure(Writer& out, const Pressure& pressure) {
  append(out, Tlv::pressure, pressure.cpu_some_us, pressure.memory_some_us, pressure.memory_full_us,
         pressure.io_some_us, pressure.io_full_us);
}

}  // namespace

void append_tlvs(Writer& out, const Reply& reply) {
  const Sample& sample = reply.sample;
  append_head(out, Tlv::name_hash);
  out.bytes(reply.name_hash);
  append_head(out, Tlv::boot_id);
  out.bytes(sample.boot_id);
  if (const auto& cpu = sample.cpu) append_cpu(out, *cpu);
  if (const auto& memory = sample.memory) {
    append(out, Tlv::memory, memory->total_kb, memory->available_kb, memory->swap_total_kb,
           memory->swap_free_kb);
  }
  if (const auto& pressure = sample.pressure) append_pressure(out, *pressure);
  if (const auto& queue = sample.run_queue) {
    append(out, Tlv::run_queue, queue->load1_x100, queue->procs_running, queue->procs_blocked);
  }
  if (const auto& network = sample.network) {
    append(out, Tlv::network, network->received_bytes, network->sent_bytes,
           network->line_rate_bits);
  }
  if (sample.disk_busy_ms) append(out, Tlv::disk, *sample.disk_busy_ms);
  if (sample.processes) append(out, Tlv::processes, *sample.processes);
  if (const auto& limits = sample.cgroup) {
    append(out, Tlv::cgroup, limits->usage_us, limits->cpus_x1000, limits->memory_limit_kb,
           limits->memory_used_kb);
  }
}

bool read_tlvs(Bytes bytes, Reply& reply, bool& has_name) {
  std::bitset<256> seen;
  for (Reader in{bytes}; !in.empty();) {
    const auto number = in.integer<std::uint8_t>();
    const auto length = in.integer<std::uint8_t>();
    const Bytes value = in.take(length);
    if (in.failed()) return false;

    const auto type = static_cast<Tlv>(number);
    const auto due = length_of(type);
    if (!due) continue;
    if (*due != length || seen.test(number)) return false;

    seen.set(number);
    read_value(type, Reader{value}, reply);
  }
  has_name = seen.test(static_cast<std::size_t>(Tlv::name_hash));
  return true;
}

}  // namespace lvs::agentproto
