#include "monitord/once.hpp"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "monitord/agents.hpp"
#include "monitord/controller.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/outputs/outputs.hpp"
#include "monitord/probe_targets.hpp"
#include "monitord/response_engine.hpp"
#include "monitord/response_prober.hpp"
#include "monitord/udp_poller.hpp"

namespace lvs::monitord {
namespace {

/// A measure of CPU occupancy needs two samples.
constexpr int questions = 2;

void ask_everybody(boost::asio::io_context& io, UdpPoller& poller, PollEngine& engine,
                   ResponseEngine& responses, ResponseProber& prober, Controller& controller,
                   Outputs& outputs, const Config& config) {
  for (int asked = 0; asked < questions; ++asked) {
    controller.cycle(boottime_now(), engine.readings());
    outputs.begin_cycle();
    poller.begin_cycle(agents_from_table(controller.last_table(), outputs.listed()));
    prober.begin_cycle(targets_from_table(controller.last_table(), config));
    if (!engine.next() && !responses.next()) return;
    io.run_for(config.interval);
  }
  io.run_for(config.agent.deadline);
}

/// HAProxy is told by the daemon only; nginx is here and now.
void write_out(boost::asio::io_context& io, Outputs& outputs) {
  constexpr std::chrono::seconds longest{60};
  constexpr std::chrono::milliseconds between_looks{20};
  const auto end = boottime_now() + longest;
  for (outputs.hurry(); !outputs.all_told() && boottime_now() < end; outputs.hurry()) {
    io.restart();
    io.run_for(between_looks);
  }
}

/// Zeros of monitord's own end with it: nobody would look whether their reason is gone.
Config without_own_zeros(Config config) {
  const auto end = [](Policy& policy) {
    policy.agent_drain = false;
    if (policy.on_silence == SilencePolicy::drain) policy.on_silence = SilencePolicy::hold;
  };
  end(config.defaults);
  if (config.services) {
    for (auto& service : *config.services)
      end(service.policy);
  }
  for (auto& pool : config.pools)
    end(pool.service.policy);
  return config;
}

}  // namespace

CycleReport report_once(const Configuration& configuration, const std::string& version,
                        OnceParts parts, Memory memory) {
  auto observing = configuration.config;
  observing.dry_run = true;
  boost::asio::io_context io;
  PollEngine engine(poll_settings_from(configuration), parts.nonces);
  UdpPoller poller(io, engine, boottime_now);
  ResponseEngine responses;
  ResponseProber prober(io, responses, boottime_now);
  Outputs outputs(io, parts.table, boottime_now, configuration.config, memory.destinations);
  Controller controller(observing, outputs.table(), parts.journal, std::move(memory));

  controller.set_wall_time(wall_time_now());
  ask_everybody(io, poller, engine, responses, prober, controller, outputs, configuration.config);
  controller.set_config(without_own_zeros(configuration.config));
  const auto now = boottime_now();
  auto report = controller.cycle(now, engine.readings(), responses.take_responses(now));
  write_out(io, outputs);
  report.version = version;
  report.notes.insert(report.notes.begin(), configuration.notes.begin(), configuration.notes.end());
  const auto around = outputs.notes();
  report.notes.insert(report.notes.end(), around.begin(), around.end());
  report.polls = engine.counters();
  report.probes = responses.counters();
  report.outputs = outputs.counters();
  return report;
}

}  // namespace lvs::monitord
