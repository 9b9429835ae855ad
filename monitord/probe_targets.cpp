#include "monitord/probe_targets.hpp"

#include <cstdint>
#include <optional>

#include "loadcalc/scheduler.hpp"
#include "monitord/http_probe.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

/// The probe of a service; null: none, or the service is not managed.
const ProbeConfig* probe_of(const ipvs::Service& service, const Config& config) {
  if (!is_managed(config, service.key)) return nullptr;
  const bool listed = service_config(config, service.key) != nullptr;
  if (!listed && !loadcalc::uses_weights(service.scheduler)) return nullptr;
  const auto& policy = policy_of(config, service.key);
  return policy.probe ? &*policy.probe : nullptr;
}

/// 0: none.
std::uint16_t tcp_port(const ipvs::ServiceKey& service, const ipvs::DestinationKey& destination,
                       const ProbeConfig& probe) {
  if (probe.port) return *probe.port;
  const bool other =
      service.protocol == ipvs::Protocol::udp || service.protocol == ipvs::Protocol::sctp;
  return other ? std::uint16_t{0} : destination.port;
}

}  // namespace

std::vector<ProbeTarget> targets_from_table(std::span<const ipvs::ServiceEntry> table,
                                            const Config& config) {
  std::vector<ProbeTarget> targets;
  for (const auto& entry : table) {
    const auto* const probe = probe_of(entry.service, config);
    if (probe == nullptr) continue;
    for (const auto& destination : entry.destinations) {
      const auto port = tcp_port(entry.service.key, destination.key, *probe);
      if (destination.weight == 0 || port == 0) continue;
      ProbeTarget target;
      target.key = {entry.service.key, destination.key};
      target.endpoint = {destination.key.address, port};
      if (probe->kind == ProbeConfig::Kind::http) {
        target.request = http_request(*probe, target.endpoint);
      }
      target.expect = probe->expect;
      target.interval = probe_interval(*probe, config.interval);
      target.deadline = probe_deadline(*probe, config.interval);
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

}  // namespace lvs::monitord
