#pragma once

// The configuration as values. How it is written down is in config_yaml.hpp.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "loadcalc/boundary.hpp"
#include "loadcalc/capacity.hpp"
#include "loadcalc/feedback.hpp"
#include "loadcalc/guards.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/linear.hpp"
#include "loadcalc/relief.hpp"
#include "loadcalc/response.hpp"
#include "loadcalc/strategy.hpp"
#include "monitord/outputs/output_kind.hpp"
#include "monitord/probe_config.hpp"
#include "monitord/strategy_kind.hpp"

namespace lvs::monitord {

/// What happens to a weight that somebody else wrote.
enum class ForeignPolicy {
  adopt,     ///< control goes on from it
  reassert,  ///< the one before is put back, at most once a minute
};

/// What becomes of a silent server once its hold is over.
enum class SilencePolicy {
  hold,   ///< its weight stays
  base,   ///< it goes back to its base, gradually
  drain,  ///< it is set to 0: never the last of a pool, never more than half of it
};

/// What happens to the weights of a pool that no connection comes through.
enum class StandbyPolicy {
  keep,   ///< another director serves it: nothing can be learned, weights stay
  steer,  ///< by the readings alone
};

enum class ExitPolicy { keep, restore };

/// How one service is steered.
struct Policy {
  StrategyKind strategy{StrategyKind::capacity};
  loadcalc::CapacityParameters capacity{};
  loadcalc::HeadroomParameters headroom{};
  loadcalc::FeedbackParameters feedback{};
  loadcalc::ResponseParameters response{};
  loadcalc::LinearParameters linear{};
  loadcalc::GuardParameters guards{};
  loadcalc::ReliefParameters relief{};
  loadcalc::Boundary boundary{};
  loadcalc::WeightRange weights{};
  /// Least time between two writes to one service; cuts of saturated servers do not wait.
  std::chrono::nanoseconds min_write_interval{std::chrono::seconds{4}};
  /// Share of the way to a higher target that one cycle may go (fast down, slow up).
  double up_step{0.5};
  std::optional<ProbeConfig> probe{};  ///< of response times; empty: none
  ForeignPolicy foreign{ForeignPolicy::adopt};
  SilencePolicy on_silence{SilencePolicy::base};
  StandbyPolicy standby{StandbyPolicy::keep};
  bool agent_drain{};  ///< an agent that asks for it is drained

  friend bool operator==(const Policy&, const Policy&) = default;
};

/// A service of the `services:` list.
struct ServiceConfig {
  ipvs::ServiceKey key{};
  Policy policy{};
  std::map<ipvs::DestinationKey, std::uint32_t> bases{};  ///< configured base weights
  OutputKind output{OutputKind::ipvs};
  std::string folder{};  ///< of track files, with `output: keepalived`

  friend bool operator==(const ServiceConfig&, const ServiceConfig&) = default;
};

/// How a name is answered with one of several addresses.
enum class DnsChoice {
  weighted,  ///< by chance, each as often as its share of the weights
  best,      ///< the one with most of its base; among equals by chance
};

/// An entry of `pools:`: what an output other than the kernel's table needs to know of a pool.
struct PoolConfig {
  ServiceConfig service{};            ///< its key has the pool's name; bases of all its servers
  std::string balance{"roundrobin"};  ///< what spreads the connections, as HAProxy calls it
  std::string backend{};              ///< of HAProxy's configuration, with `output: haproxy`
  std::string stats{};                ///< path of HAProxy's stats socket; empty: no counters
  std::string file{};                 ///< that nginx includes, with `output: nginx`
  std::string host{};                 ///< its name in the DNS, plain, with `output: dns`
  DnsChoice choice{DnsChoice::weighted};
  /// What the output calls its servers.
  std::map<ipvs::DestinationKey, std::string> names{};

  friend bool operator==(const PoolConfig&, const PoolConfig&) = default;
};

/// How nginx is asked. Program and arguments; no shell sees them.
struct NginxConfig {
  std::vector<std::string> test{"/usr/sbin/nginx", "-t", "-q"};
  std::vector<std::string> reload{"/usr/sbin/nginx", "-s", "reload"};

  friend bool operator==(const NginxConfig&, const NginxConfig&) = default;
};

/// The zone that PowerDNS asks for. Names are plain: see dns_name.hpp.
struct DnsConfig {
  std::string socket{"/run/monitord/dns.sock"};
  std::string zone{};                      ///< empty: there is none
  std::vector<std::string> nameservers{};  ///< the first is the SOA record's
  std::string contact{};                   ///< a mail address as a name; empty: hostmaster.ZONE
  std::chrono::nanoseconds ttl{std::chrono::seconds{2}};  ///< whole seconds

  friend bool operator==(const DnsConfig&, const DnsConfig&) = default;
};

/// `outputs:`: what all pools of one output share.
struct OutputsConfig {
  /// ADDRESS:PORT where HAProxy's agent-check is answered.
  std::string haproxy_listen{"127.0.0.1:6355"};
  NginxConfig nginx{};
  DnsConfig dns{};

  friend bool operator==(const OutputsConfig&, const OutputsConfig&) = default;
};

/// An entry of `servers:`: what cannot be guessed from the address.
struct ServerConfig {
  std::optional<std::string> name{};  ///< the agent's name; default: the polled address
  std::optional<ipvs::IpAddress> agent_address{};
  std::optional<std::uint16_t> agent_port{};
  std::optional<std::uint32_t> base{};

  friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

enum class Security { keys, none };

struct AgentConfig {
  std::uint16_t port{6353};
  std::chrono::nanoseconds deadline{std::chrono::milliseconds{500}};
  Security security{Security::keys};
  std::string keys_file{"/etc/monitord/keys.yaml"};

  friend bool operator==(const AgentConfig&, const AgentConfig&) = default;
};

/// `record:`: where the cycles are recorded for a replay.
struct RecordConfig {
  std::string file{};                                ///< empty: nothing is recorded
  std::uint64_t max_size{std::uint64_t{64} << 20U};  ///< bytes; a fuller file is renamed
  unsigned files{4};                                 ///< that are kept beside it: FILE.1 and on

  friend bool operator==(const RecordConfig&, const RecordConfig&) = default;
};

/// `http:`: the status page and the metrics.
struct HttpConfig {
  /// ADDRESS:PORT, or the path of a Unix socket; empty: nothing is served.
  std::string listen{"127.0.0.1:6354"};
  std::vector<std::string> hosts{};  ///< names under which it may be asked for, beside addresses

  friend bool operator==(const HttpConfig&, const HttpConfig&) = default;
};

struct Config {
  bool dry_run{true};
  std::chrono::nanoseconds interval{std::chrono::seconds{2}};
  unsigned hold_polls{3};                ///< polls for which a silent server's weight is held
  ExitPolicy on_exit{ExitPolicy::keep};  ///< what stays in the kernel when monitord ends
  AgentConfig agent{};
  std::string control_socket{"/run/monitord/control.sock"};
  std::string state_file{"/var/lib/monitord/state.journal"};
  std::string log_level{"info"};
  std::string log_format{"text"};  ///< or "json"
  RecordConfig record{};
  HttpConfig http{};
  Policy defaults{};
  std::map<ipvs::IpAddress, ServerConfig> servers{};
  /// Empty: every service of the table whose scheduler uses weights is managed.
  std::optional<std::vector<ServiceConfig>> services{};
  OutputsConfig outputs{};
  std::vector<PoolConfig> pools{};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace lvs::monitord
