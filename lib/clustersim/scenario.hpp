#pragma once

// A scenario as values: a pool, its load, what happens to it. How it is written down is in
// scenario_yaml.hpp. All times are seconds of simulated time, all shares fractions in [0,1].

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lvs::clustersim {

enum class Distribution { exponential, lognormal, fixed };

/// CPU time of one request on one core of speed 1.
struct RequestCost {
  double mean_s{0.020};
  Distribution distribution{Distribution::exponential};
  double sigma{1.0};  ///< lognormal only: standard deviation of the logarithm

  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

/// A part of the requests with a mean of its own; the distribution is that of the scenario.
struct RequestClass {
  double share{};
  double mean_s{};

  friend bool operator==(const RequestClass&, const RequestClass&) = default;
};

/// The arrival rate jumps between 1 - amplitude and 1 + amplitude times its mean; each state lasts
/// an exponential time of mean `dwell_s`.
struct Burst {
  double amplitude{};
  double dwell_s{5};

  friend bool operator==(const Burst&, const Burst&) = default;
};

/// The arrival rate swings as 1 + amplitude * sin(2 pi t / period).
struct Wave {
  double amplitude{};
  double period_s{300};

  friend bool operator==(const Wave&, const Wave&) = default;
};

/// Requests of one connection, one after the other, with a pause between them in which the
/// connection is idle but counts as active.
struct KeepAlive {
  unsigned requests{1};
  double think_s{};

  friend bool operator==(const KeepAlive&, const KeepAlive&) = default;
};

struct Server {
  double speed{1};
  unsigned cores{1};
  std::uint32_t base{10};            ///< base weight, and the weight at time 0
  double memory_used{0.3};           ///< share of memory in use without requests
  double memory_per_request{0.002};  ///< share that each request in progress takes
  unsigned workers{};  ///< requests that are worked on at a time; 0: all that there are

  friend bool operator==(const Server&, const Server&) = default;
};

/// What happens at a time: to one server, or (`server` empty) to the whole load. Exactly the
/// optional members that are set change.
struct Event {
  double at_s{};
  double over_s{};  ///< `memory_used`, `load` move there linearly over this time; 0: at once
  std::optional<std::size_t> server{};  ///< index into Scenario::servers
  std::optional<double> background{};   ///< share of the CPU that a neighbour takes
  std::optional<double> speed{};
  std::optional<double> memory_used{};
  std::optional<bool> agent_answers{};     ///< false: falls silent
  std::optional<std::uint32_t> weight{};   ///< an operator's `ipvsadm -e -w`
  std::optional<bool> up{};                ///< false: crashed, every request on it fails
  std::optional<double> load{};            ///< the whole pool's load from now on, as Scenario::load
  std::optional<double> request_mean_s{};  ///< every request's mean cost from now on

  friend bool operator==(const Event&, const Event&) = default;
};

/// Another service on some of the same servers, which steers on its own.
struct SecondService {
  double share{};           ///< of all arrivals
  std::string scheduler{};  ///< empty: as the first
  RequestCost request{};
  std::vector<std::size_t> servers{};  ///< indices; empty: all

  friend bool operator==(const SecondService&, const SecondService&) = default;
};

/// How agents answer, in every scenario alike unless it says otherwise.
struct AgentBehaviour {
  double lag_s{0.005};        ///< of an idle server's answer
  double loss{};              ///< share of answers that never arrive
  bool late_when_busy{true};  ///< a saturated server answers up to a second late

  friend bool operator==(const AgentBehaviour&, const AgentBehaviour&) = default;
};

struct Scenario {
  std::string name{};
  std::string scheduler{"wrr"};
  double duration_s{600};
  double warmup_s{60};  ///< not counted in the results
  std::vector<std::uint64_t> seeds{1, 2, 3};
  double interval_s{2};
  /// Of the pool's true capacity at time 0 (sum of speed * cores / mean cost); or `arrivals`.
  std::optional<double> load{};
  std::optional<double> arrivals_per_s{};  ///< requests per second over all services
  RequestCost request{};
  std::vector<RequestClass> classes{};  ///< empty: one class of the request's mean
  Burst burst{};
  Wave wave{};
  double persistence_s{};  ///< 0: none. Each connection belongs to one of `clients` clients
  unsigned clients{200};   ///< with persistence; uneven as 1/rank
  KeepAlive keepalive{};
  double patience_s{30};  ///< a client gives up a request that takes longer
  std::optional<SecondService> second_service{};
  AgentBehaviour agents{};
  std::vector<Server> servers{};
  std::vector<Event> events{};  ///< ordered by time
  std::vector<std::string> strategies{"capacity", "equal", "clairvoyant"};

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// Names that `strategies` may hold: monitord's own and the reference policies (policy.hpp).
bool is_strategy(const std::string& name);

}  // namespace lvs::clustersim
