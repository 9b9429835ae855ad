#include "monitorctl/advice_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "clustersim/scheduler.hpp"
#include "loadcalc/scheduler.hpp"
#include "monitorctl/advice_parts.hpp"

namespace lvs::monitorctl {
namespace {

using Pool = std::vector<const DestinationFacts*>;

constexpr std::uint64_t fewest_connections = 20;
constexpr double least_load = 0.05;
constexpr double highest_load = 0.95;
constexpr double guessed_load = 0.6;
/// An open connection of this length is not one request all the time.
constexpr double long_connection_s = 2;
constexpr unsigned requests_of_long = 10;
/// So many requests make a mean that is worth printing, and no more are needed.
constexpr double enough_requests = 40'000;
constexpr double highest_rate = 1'000;
/// wlc looks back for two minutes: before that it is another scheduler.
constexpr double warmup_s = 120;

std::optional<std::string> why_not(const ServiceFacts& facts, const Pool& pool) {
  const auto& scheduler = facts.service.scheduler;
  if (pool.size() < 2) return "fewer than two destinations have a weight";
  if (scheduler != "lc" && !clustersim::is_scheduler(scheduler)) {
    return fmt::format("the simulator has no {}", scheduler);
  }
  if (is_udp(facts.service) || (facts.service.flags & ipvs::service_flag::one_packet) != 0) {
    return "the director does not see when an answer to a datagram is done";
  }
  if (!facts.complete) return "rates are unknown without CAP_NET_ADMIN (root)";
  if (!facts.rate) return "the counters were put back, or destinations came, while it was watched";
  const double connections = *facts.rate * facts.counted_s;
  if (connections < fewest_connections) {
    return fmt::format(
        "{:.0f} new connections in {:.0f} s say too little: watch longer (--for 60s)", connections,
        facts.counted_s);
  }
  return std::nullopt;
}

/// What the servers can take, relative to each other, and how that is known.
struct Capacities {
  std::vector<double> of{};  ///< mean 1
  std::string source{};
};

using Known = std::optional<double> DestinationFacts::*;

bool all_know(const Pool& pool, Known value) {
  return std::all_of(pool.begin(), pool.end(),
                     [value](const auto* one) { return (one->*value).has_value(); });
}

std::vector<double> values_of(const Pool& pool, Known value) {
  std::vector<double> values;
  for (const auto* const one : pool)
    values.push_back(*(one->*value));
  return values;
}

std::string ratio_text(const std::vector<double>& values) {
  const double least = *std::min_element(values.begin(), values.end());
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i)
    text += fmt::format("{}{:.3g}", i == 0 ? "" : ":", values[i] / least);
  return values.size() > most ? text + ":..." : text;
}

Capacities capacities_of(const ServiceFacts& facts, const Pool& pool) {
  Capacities found;
  std::string source;
  if (all_know(pool, &DestinationFacts::capacity)) {
    found.of = values_of(pool, &DestinationFacts::capacity);
    source = "as monitord learned it";
  } else if (all_know(pool, &DestinationFacts::base)) {
    found.of = values_of(pool, &DestinationFacts::base);
    source = "their base weights, since nothing was learned";
  } else if (loadcalc::uses_weights(facts.service.scheduler)) {
    const auto weights = weights_of(pool);
    found.of.assign(weights.begin(), weights.end());
    source = "their weights, taken to be right: monitord has learned nothing of them";
  } else {
    found.of.assign(pool.size(), 1);
    source = "equal: nothing is known of them";
  }
  found.source = fmt::format("the servers can take {} ({})", ratio_text(found.of), source);
  const double mean =
      std::accumulate(found.of.begin(), found.of.end(), 0.0) / static_cast<double>(found.of.size());
  for (auto& one : found.of)
    one /= mean;
  return found;
}

/// Mean number in M/M/1 queues of these loads.
double number_in(const Pool& pool, const std::vector<double>& speeds, double per_second,
                 double cost_s) {
  double sum = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const double load =
        static_cast<double>(*pool[i]->new_connections) * per_second * cost_s / speeds[i];
    if (load >= 1) return HUGE_VAL;
    sum += load / (1 - load);
  }
  return sum;
}

/// Little's law turned round: the load at which as many connections are open as were seen, if each
/// is one request and the connections go where they went.
double load_of_open(const ServiceFacts& facts, const Pool& pool,
                    const std::vector<double>& speeds) {
  const double per_second = 1 / facts.counted_s;
  const double capacity = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  double low = 0;
  double high = capacity / *facts.rate;  // of one request at load 1
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (number_in(pool, speeds, per_second, middle) < facts.active ? low : high) = middle;
  }
  return *facts.rate * low / capacity;
}

struct Load {
  double of_pool{};
  std::string source{};
};

Load load_of(const ServiceFacts& facts, const Pool& pool, const std::vector<double>& speeds) {
  Load load;
  if (all_know(pool, &DestinationFacts::cpu_busy)) {
    const auto busy = values_of(pool, &DestinationFacts::cpu_busy);
    const double work = std::inner_product(busy.begin(), busy.end(), speeds.begin(), 0.0);
    load.of_pool = work / static_cast<double>(pool.size());
    load.source = "the servers' CPU occupancy, all of it taken for this service's";
  } else if (*facts.connection_s < long_connection_s) {
    load.of_pool = load_of_open(facts, pool, speeds);
    load.source = fmt::format(
        "from {:.3g} open connections of {:.2g} s each, taken for one request each, all at work",
        facts.active, *facts.connection_s);
  } else {
    load.of_pool = guessed_load;
    load.source = "a guess: no agent says how busy the servers are";
  }
  const double seen = load.of_pool;
  load.of_pool = std::clamp(seen, least_load, highest_load);
  if (load.of_pool != seen) load.source += fmt::format("; seen was {:.2f}", seen);
  load.source = fmt::format("the pool's load is {:.2f} ({})", load.of_pool, load.source);
  return load;
}

/// What a connection is: one request, or several with pauses, where it is open for seconds, most of
/// which the servers do not need. A short one that takes long is in a queue.
std::string set_connections(const ServiceFacts& facts, double load, double capacity,
                            clustersim::Scenario& scenario) {
  const double cost_s = load * capacity / *facts.rate;
  const double response_s = cost_s / (1 - load);
  const double idle_s = *facts.connection_s - response_s;
  const bool pauses = *facts.connection_s >= long_connection_s && idle_s > response_s;
  scenario.keepalive.requests = pauses ? requests_of_long : 1;
  scenario.request.mean_s = cost_s / scenario.keepalive.requests;
  scenario.arrivals_per_s = *facts.rate * scenario.keepalive.requests;
  if (!pauses) return "a connection is one request; costs are exponential, arrivals are Poisson";
  scenario.keepalive.think_s = idle_s / (requests_of_long - 1);
  return fmt::format(
      "a connection is {} requests with pauses of {:.2g} s between them, for it is open for {:.2g} "
      "s; costs are exponential, arrivals are Poisson",
      requests_of_long, scenario.keepalive.think_s, *facts.connection_s);
}

/// Slower by a factor that leaves loads as they are, and long enough.
void set_time(AdviceScenario& planned) {
  auto& scenario = planned.scenario;
  planned.slowed = std::max(1.0, *scenario.arrivals_per_s / highest_rate);
  *scenario.arrivals_per_s /= planned.slowed;
  scenario.request.mean_s *= planned.slowed;
  scenario.keepalive.think_s *= planned.slowed;
  constexpr double shortest_s = 120;
  constexpr double longest_s = 7'200;
  scenario.warmup_s = warmup_s;
  scenario.duration_s = warmup_s + std::round(std::clamp(enough_requests / *scenario.arrivals_per_s,
                                                         shortest_s, longest_s));
  if (planned.slowed > 1) {
    planned.assumed.push_back(fmt::format(
        "time goes {:.3g} times slower than seen, to have an end; latencies are put right",
        planned.slowed));
  }
}

void set_servers(const Pool& pool, const std::vector<double>& speeds, AdviceScenario& planned) {
  planned.pool_index.resize(pool.size());
  std::iota(planned.pool_index.begin(), planned.pool_index.end(), std::size_t{0});
  std::sort(planned.pool_index.begin(), planned.pool_index.end(),
            [&](std::size_t a, std::size_t b) { return pool[a]->place > pool[b]->place; });
  for (const auto index : planned.pool_index) {
    clustersim::Server server;
    server.speed = speeds[index];
    server.base = pool[index]->destination.weight;
    server.memory_per_request = 0;
    planned.scenario.servers.push_back(server);
  }
}

void set_clients(const ServiceFacts& facts, const Pool& pool, AdviceScenario& planned) {
  if (!is_persistent(facts.service)) return;
  auto& scenario = planned.scenario;
  scenario.persistence_s = facts.service.timeout_s;
  std::uint64_t clients = 0;
  for (const auto* const one : pool)
    clients += one->destination.persistent_connections;
  constexpr std::uint64_t most_clients = 100'000;
  if (clients > 0) scenario.clients = static_cast<unsigned>(std::min(clients, most_clients));
  planned.assumed.push_back(fmt::format(
      "{} clients, of which number r sends 1/r of what the first one sends", scenario.clients));
}

std::string left_out(const Pool& pool) {
  const bool by_director = std::all_of(pool.begin(), pool.end(), [](const auto* one) {
    return one->destination.forwarding == ipvs::ForwardingMethod::masquerade;
  });
  return by_director
             ? "memory, network and thresholds play no part"
             : "memory, network and thresholds play no part, and every connection is seen to "
               "its end, which a director without NAT does not";
}

}  // namespace

tl::expected<AdviceScenario, std::string> scenario_from(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  if (auto reason = why_not(facts, pool)) return tl::make_unexpected(std::move(*reason));
  const auto capacities = capacities_of(facts, pool);
  const auto load = load_of(facts, pool, capacities.of);
  AdviceScenario planned;
  planned.load = load.of_pool;
  planned.scenario.name = facts.name;
  planned.scenario.scheduler = simulated_now(facts).scheduler;
  set_servers(pool, capacities.of, planned);
  const auto whole = static_cast<double>(pool.size());  // the capacities' mean is 1
  planned.assumed = {capacities.source, load.source,
                     set_connections(facts, load.of_pool, whole, planned.scenario)};
  set_clients(facts, pool, planned);
  planned.assumed.push_back(left_out(pool));
  set_time(planned);
  return planned;
}

Proposal simulated_now(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  if (facts.service.scheduler != "lc") return {facts.service.scheduler, weights_of(pool)};
  return {"wlc", std::vector(pool.size(), plain_weight)};
}

std::vector<Proposal> proposals_of(const ServiceFacts& facts,
                                   const std::vector<Finding>& findings) {
  std::vector<Proposal> proposals;
  const auto now = simulated_now(facts);
  const auto add = [&](const Proposal& one) {
    if (one == now || !clustersim::is_scheduler(one.scheduler)) return;
    if (std::find(proposals.begin(), proposals.end(), one) != proposals.end()) return;
    proposals.push_back(one);
  };
  for (const auto& finding : findings) {
    if (finding.proposal) add(*finding.proposal);
  }
  add({"sed", equal_weights(dealt_to(facts))});
  return proposals;
}

clustersim::Scenario scenario_of(const AdviceScenario& planned, const Proposal& proposal) {
  auto scenario = planned.scenario;
  scenario.scheduler = proposal.scheduler;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i)
    scenario.servers[i].base = proposal.weights[planned.pool_index[i]];
  return scenario;
}

}  // namespace lvs::monitorctl
