#include "monitord/once.hpp"

#include <boost/asio/io_context.hpp>
#include <string>
#include <utility>

#include "monitord/agents.hpp"
#include "monitord/controller.hpp"
#include "monitord/cycle_clock.hpp"
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
                   const Config& config) {
  for (int asked = 0; asked < questions; ++asked) {
    controller.cycle(boottime_now(), engine.readings());
    poller.begin_cycle(agents_from_table(controller.last_table(), config));
    prober.begin_cycle(targets_from_table(controller.last_table(), config));
    if (!engine.next() && !responses.next()) return;
    io.run_for(config.interval);
  }
  io.run_for(config.agent.deadline);
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
  Controller controller(observing, parts.table, parts.journal, std::move(memory));

  controller.set_wall_time(wall_time_now());
  ask_everybody(io, poller, engine, responses, prober, controller, configuration.config);
  controller.set_config(without_own_zeros(configuration.config));
  const auto now = boottime_now();
  auto report = controller.cycle(now, engine.readings(), responses.take_responses(now));
  report.version = version;
  report.notes.insert(report.notes.begin(), configuration.notes.begin(), configuration.notes.end());
  report.polls = engine.counters();
  report.probes = responses.counters();
  return report;
}

}  // namespace lvs::monitord
