#include "bench/loopback_servers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lvs::bench {
namespace {

constexpr std::uint32_t first_address = 0x7F40'0001;  // 127.64.0.1
constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint16_t cpus = 4;
constexpr double ticks_per_second = 100.0 * cpus;
constexpr std::uint64_t memory_kb = std::uint64_t{16} << 20U;
constexpr double turn = 2 * std::numbers::pi;

/// In [0,1), another one for each `what` of a server.
double fraction(std::size_t server, std::uint64_t what) {
  constexpr double steps = 0x1p53;
  return static_cast<double>(mixed(16 * std::uint64_t{server} + what) >> 11U) / steps;
}

/// A sine around 0 over time.
struct Wave {
  double height{};
  double period_s{};
  double phase{};  ///< in turns

  [[nodiscard]] double at(double time) const {
    return height * std::sin(turn * (time / period_s + phase));
  }
  /// Its integral from 0 to `time`.
  [[nodiscard]] double sum_until(double time) const {
    const auto height_of_sum = height * period_s / turn;
    return height_of_sum * (std::cos(turn * phase) - std::cos(turn * (time / period_s + phase)));
  }
};

Wave slow_wave(std::size_t server, double swing) {
  return {swing, 300 + 600 * fraction(server, 2), fraction(server, 3)};
}

Wave fast_wave(std::size_t server, double swing) {
  return {swing / 4, 13 + 8 * fraction(server, 4), fraction(server, 5)};
}

std::uint64_t count(double number) {
  return static_cast<std::uint64_t>(std::max(0.0, number));
}

/// Seconds since boot that a CPU was busy, as a mean over all of them.
double busy_seconds(std::size_t server, double time, double swing) {
  const auto level = 0.25 + 0.35 * fraction(server, 1);
  return level * (time + slow_wave(server, swing).sum_until(time) +
                  fast_wave(server, swing).sum_until(time));
}

/// The rest of the time is idle. Between two samples lies a second, so that rounding never takes a
/// counter back.
agentproto::CpuTimes cpu_times(double time, double busy) {
  agentproto::CpuTimes times;
  times.cpus = cpus;
  times.user = count(0.7 * busy * ticks_per_second);
  times.system = count(0.3 * busy * ticks_per_second);
  times.idle = count(time * ticks_per_second) - times.user - times.system;
  return times;
}

std::uint64_t sampled_at(std::size_t server, std::uint64_t now_ns) {
  const auto phase = mixed(server) % second_ns;
  return now_ns < phase ? 0 : (now_ns - phase) / second_ns * second_ns + phase;
}

}  // namespace

ipvs::IpAddress server_address(std::size_t server) {
  const auto number = first_address + static_cast<std::uint32_t>(server);
  ipvs::IpAddress address;
  for (std::size_t i = 0; i < 4; ++i)
    address.bytes[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  return address;
}

std::optional<std::size_t> server_at(const ipvs::IpAddress& address) {
  if (address.family != ipvs::Family::inet) return std::nullopt;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8U | address.bytes[i];
  const bool is_one = number >= first_address && number - first_address < most_servers;
  return is_one ? std::optional<std::size_t>(number - first_address) : std::nullopt;
}

agentproto::Key master_key() {
  agentproto::Key key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(i + 1);
  return key;
}

std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E37'79B9'7F4A'7C15;
  number = (number ^ number >> 30U) * 0xBF58'476D'1CE4'E5B9;
  number = (number ^ number >> 27U) * 0x94D0'49BB'1331'11EB;
  return number ^ number >> 31U;
}

agentproto::Sample sample_of(std::size_t server, std::uint64_t now_ns, double swing) {
  agentproto::Sample sample;
  sample.boottime_ns = sampled_at(server, now_ns);
  sample.boot_id.fill(static_cast<std::uint8_t>(mixed(server)));
  const auto time = static_cast<double>(sample.boottime_ns) / static_cast<double>(second_ns);
  const auto busy = busy_seconds(server, time, swing);
  const auto slow = slow_wave(server, swing).at(time);
  sample.cpu = cpu_times(time, busy);
  const auto available = memory_kb * (0.6 - 0.3 * slow);
  sample.memory = agentproto::Memory{memory_kb, count(available), memory_kb / 4, memory_kb / 4};
  // Totals of stall times grow with the work; none of them stands still.
  sample.pressure =
      agentproto::Pressure{count(0.05e6 * busy), count(0.004e6 * busy), count(0.001e6 * busy),
                           count(0.02e6 * busy), count(0.005e6 * busy)};
  sample.run_queue =
      agentproto::RunQueue{static_cast<std::uint32_t>(count(150 + 100 * slow)), 2, 0};
  sample.network = agentproto::Network{count(2e6 * busy), count(20e6 * busy), 1'000'000'000};
  sample.disk_busy_ms = count(50 * busy);
  sample.processes = static_cast<std::uint32_t>(180 + mixed(server) % 40);
  return sample;
}

}  // namespace lvs::bench
