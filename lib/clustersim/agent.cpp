#include "clustersim/agent.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "clustersim/numbers.hpp"

namespace lvs::clustersim {
namespace {

constexpr double saturated_cpu = 0.98;
constexpr double late_mean_s = 0.216;  ///< of an exponential delay with the median 150 ms
constexpr double latest_s = 1;
constexpr double load_average_s = 60;
constexpr int questions = 2;  ///< the question and its repetition
constexpr std::chrono::seconds clock_at_start{1000};

}  // namespace

monitord::Moment moment_from_seconds(double seconds) {
  return clock_at_start + std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

Agent::Agent(const SharedProcessor& server, const AgentBehaviour& behaviour, Random random)
    : behaviour_(behaviour), random_(random), phase_(random_.uniform()), cores_(server.cores()) {
  latest_.taken_s = phase_ - 1;
  latest_.free_memory = server.free_memory();
}

void Agent::sample(double now, const SharedProcessor& server) {
  auto const jobs = static_cast<double>(server.jobs());
  auto const running = jobs + server.background() * server.cores();
  auto const kept = exponential_of(-1 / load_average_s);
  before_ = latest_;
  latest_.taken_s = now;
  latest_.busy_core_seconds = server.busy_core_seconds(now);
  latest_.free_memory = server.free_memory();
  latest_.load_average = kept * before_.load_average + (1 - kept) * running;
  latest_.processes = jobs;
}

bool Agent::saturated() const {
  auto const passed = latest_.taken_s - before_.taken_s;
  auto const busy = latest_.busy_core_seconds - before_.busy_core_seconds;
  return passed > 0 && busy >= saturated_cpu * passed * cores_;
}

std::optional<double> Agent::answer_delay(std::uint64_t question, double deadline_s) const {
  if (!answers_) return std::nullopt;
  auto random = random_.child(question);
  for (int tries = 0; tries < questions; ++tries) {
    bool const lost = random.uniform() <= behaviour_.loss;
    auto const late = std::min(latest_s, random.exponential(late_mean_s));
    if (lost) continue;
    bool const busy = behaviour_.late_when_busy && saturated();
    return behaviour_.lag_s + (busy ? late : 0) + tries * deadline_s / questions;
  }
  return std::nullopt;
}

std::optional<monitord::Reading> Reader::reading(const Sample& sample) {
  auto const last = last_;
  if (last && sample.taken_s <= last->taken_s) return std::nullopt;
  last_ = sample;
  if (!last || last->boot != sample.boot) return std::nullopt;
  auto const passed = sample.taken_s - last->taken_s;
  auto const busy = sample.busy_core_seconds - last->busy_core_seconds;
  monitord::Reading made;
  made.taken = moment_from_seconds(sample.taken_s);
  made.cpu_busy = std::clamp(busy / (passed * cores_), 0.0, 1.0);
  made.mem_available = sample.free_memory;
  made.further.processes = sample.processes;
  made.further.load_per_cpu = sample.load_average / cores_;
  return made;
}

}  // namespace lvs::clustersim
