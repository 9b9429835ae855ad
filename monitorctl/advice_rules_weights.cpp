// Rules about weights and what they come to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loadcalc/small_integers.hpp"
#include "monitorctl/advice_parts.hpp"
#include "monitorctl/advice_rules.hpp"

namespace lvs::monitorctl {
namespace {

using Pool = std::vector<const DestinationFacts*>;
using Weights = std::vector<std::uint32_t>;

/// Of so long a run the tail of latencies is made.
constexpr std::uint64_t harmful_run = 10;
/// A connection of this length is about one request: connections that are open are a queue.
constexpr double short_connection_s = 1;

std::string heaviest_name(const Pool& pool) {
  return (*std::max_element(pool.begin(), pool.end(),
                            [](const auto* a, const auto* b) {
                              return a->destination.weight < b->destination.weight;
                            }))
      ->name;
}

std::string run_time_text(const ServiceFacts& facts, std::uint64_t run) {
  if (!facts.rate || *facts.rate <= 0) return "";
  return fmt::format(", all that come in {:.2g} s", static_cast<double>(run) / *facts.rate);
}

}  // namespace

std::optional<Finding> wrr_bursts(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  if (facts.service.scheduler != "wrr" || pool.size() < 2) return std::nullopt;
  const auto weights = weights_of(pool);
  const auto small = small_weights(weights);
  const auto run = run_of(pool, weights);
  const auto small_run = run_of(pool, small);
  if (!is_bursty(run, small_run)) return std::nullopt;
  Finding finding{.id = "wrr_bursts"};
  finding.severity = run >= harmful_run ? Severity::warning : Severity::advice;
  finding.seen =
      fmt::format("weights {}: {} gets up to {} connections in a row{}", weights_text(weights),
                  heaviest_name(pool), run, run_time_text(facts, run));
  finding.effect =
      "wrr walks down the weights by their greatest common divisor and deals in bursts: a queue at "
      "one server while the others idle; on a real kernel 33:79:165 took ten times as long as "
      "1:2:5";
  const std::vector<double> targets(weights.begin(), weights.end());
  const double error = loadcalc::largest_share_error(small, targets);
  finding.advice = fmt::format("{} gives the same shares, within {:.0f} %, and at most {} in a row",
                               weights_text(small), std::ceil(100 * error), small_run);
  finding.proposal = Proposal{"wrr", small};
  if (facts.steered) {
    finding.advice +=
        "; monitord makes small integers by itself unless it is held back: see monitorctl status "
        "for a pause or pins, and boundary and weights in monitord.yaml";
    return finding;
  }
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
  return finding;
}

std::optional<Finding> sed_is_the_rival(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  const bool applies = facts.service.scheduler == "wrr" && pool.size() >= 2 &&
                       !is_persistent(facts.service) && facts.connection_s &&
                       *facts.connection_s < short_connection_s;
  if (!applies) return std::nullopt;
  Finding finding{.id = "sed_is_the_rival"};
  finding.seen = fmt::format("wrr by weights {}; a connection is open for {:.2g} s",
                             weights_text(weights_of(pool)), *facts.connection_s);
  finding.effect =
      "wrr looks at no queue and is as good as its weights; where a connection is a request, open "
      "connections are the queue, and sed looks at them";
  finding.advice =
      "try sed with equal weights, which needs none that are right: on a real kernel it took "
      "7.7 ms where hand-tuned weights under wrr took 9.4";
  finding.proposal = Proposal{"sed", equal_weights(pool)};
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
  return finding;
}

std::optional<Finding> weights_ignored(const ServiceFacts& facts) {
  const auto& scheduler = facts.service.scheduler;
  const auto pool = dealt_to(facts);
  const bool ignores = scheduler == "rr" || scheduler == "lc" || scheduler == "dh";
  if (!ignores || pool.size() < 2) return std::nullopt;
  const auto weights = weights_of(pool);
  if (all_equal(weights)) return std::nullopt;
  Finding finding{.id = "weights_ignored"};
  finding.seen = fmt::format("{} with weights {}", scheduler, weights_text(weights));
  finding.effect = fmt::format(
      "{} reads no weight but 0: all get the same, and what monitord or anybody writes there has "
      "no effect",
      scheduler);
  const std::string other = scheduler == "rr" ? "wrr" : scheduler == "lc" ? "wlc" : "mh";
  finding.advice = fmt::format("{} does the same by weight", other);
  finding.proposal = Proposal{other, other == "wrr" ? even_weights(pool) : weights};
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
  return finding;
}

namespace {

struct Share {
  const DestinationFacts* of{};
  double expected{}, seen{};  ///< connections
};

/// What everybody should have got and got; empty where that cannot be told.
std::vector<Share> shares_of(const Pool& pool, const Weights& parts) {
  std::uint64_t connections = 0;
  for (const auto* const one : pool) {
    if (!one->new_connections || one->weight_changed) return {};
    connections += *one->new_connections;
  }
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  std::vector<Share> shares;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    shares.push_back({pool[i], static_cast<double>(connections) * parts[i] / sum,
                      static_cast<double>(*pool[i]->new_connections)});
  }
  return shares;
}

/// A fifth off, and more than a walk that was cut at both ends or ticks of the counters that are
/// apart can explain.
bool is_off(const Share& share, std::uint64_t run) {
  const double off = std::abs(share.seen - share.expected);
  return off > 0.2 * share.expected &&
         off > 3 * std::sqrt(share.expected) + static_cast<double>(run);
}

const Share* worst_of(const std::vector<Share>& shares, std::uint64_t run) {
  const Share* worst = nullptr;
  for (const auto& share : shares) {
    if (!is_off(share, run)) continue;
    const auto off = [](const Share& one) { return std::abs(one.seen - one.expected); };
    if (worst == nullptr || off(share) > off(*worst)) worst = &share;
  }
  return worst;
}

bool anybody_full(const Pool& pool) {
  return std::any_of(pool.begin(), pool.end(), [](const auto* one) {
    const auto limit = one->destination.upper_threshold;
    return limit > 0 && one->most >= limit;
  });
}

}  // namespace

std::optional<Finding> shares_differ(const ServiceFacts& facts) {
  const auto& scheduler = facts.service.scheduler;
  const auto pool = dealt_to(facts);
  if ((scheduler != "wrr" && scheduler != "rr") || pool.size() < 2) return std::nullopt;
  const auto parts = scheduler == "rr" ? Weights(pool.size(), 1) : weights_of(pool);
  const auto shares = shares_of(pool, parts);
  const auto* const worst = worst_of(shares, run_of(pool, parts));
  if (worst == nullptr) return std::nullopt;
  Finding finding{.id = "shares_differ"};
  finding.seen = fmt::format(
      "{} got {:.0f} new connections in {:.0f} s, and {:.0f} would be its share by weight",
      worst->of->name, worst->seen, facts.counted_s, worst->expected);
  if (is_persistent(facts.service)) {
    finding.severity = Severity::note;
    finding.effect =
        "persistence sends a client where its first connection went: a weight steers "
        "new clients only";
    finding.advice =
        fmt::format("nothing, where clients need it; a timeout below {} s lets weights act sooner",
                    facts.service.timeout_s);
  } else if (anybody_full(pool)) {
    finding.effect = "a destination at its upper threshold is passed over";
    finding.advice = "see threshold_reached";
  } else {
    finding.effect =
        "every edit of the service, also one that changes nothing, restarts the walk "
        "at the newest destination";
    finding.advice =
        "look for somebody who writes into this service every few seconds: monitorctl events has "
        "what monitord saw of others";
  }
  return finding;
}

}  // namespace lvs::monitorctl
