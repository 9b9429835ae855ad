// Rules about connections: open ones, past ones, too many of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "monitorctl/advice_parts.hpp"
#include "monitorctl/advice_rules.hpp"
#include "monitorctl/ipvsadm_command.hpp"

namespace lvs::monitorctl {
namespace {

using Pool = std::vector<const DestinationFacts*>;

/// ip_vs_dest_conn_overhead(): an active connection weighs as much as so many past ones.
constexpr double active_overhead = 256;

double mean_quiet(const Pool& pool) {
  const double sum =
      std::accumulate(pool.begin(), pool.end(), 0.0,
                      [](double so_far, const auto* one) { return so_far + one->quiet; });
  return sum / static_cast<double>(pool.size());
}

/// Whether all of the service's destinations are reached over the director in both ways.
bool all_masqueraded(const Pool& pool) {
  return std::all_of(pool.begin(), pool.end(), [](const auto* one) {
    return one->destination.forwarding == ipvs::ForwardingMethod::masquerade ||
           one->destination.forwarding == ipvs::ForwardingMethod::local_node;
  });
}

void propose_sed(const ServiceFacts& facts, const Pool& pool, Finding& finding) {
  finding.advice = "consider sed, which looks at open connections alone; with equal weights";
  finding.proposal = Proposal{"sed", equal_weights(pool)};
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
}

/// The director sees clients' packets only: what a server ends by itself stays active until a
/// timeout.
void propose_wrr(const ServiceFacts& facts, const Pool& pool, Finding& finding) {
  finding.advice =
      "consider wrr with weights that are right, which looks at no counts; sed is the other try: "
      "the director sees the clients' half only, and a connection that a server breaks stays "
      "active "
      "there for up to 15 minutes, so watch ActiveConn after the change";
  finding.proposal = Proposal{"wrr", even_weights(pool)};
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
}

}  // namespace

std::optional<Finding> wlc_sees_the_past(const ServiceFacts& facts) {
  const auto& scheduler = facts.service.scheduler;
  const auto pool = dealt_to(facts);
  const bool applies = (scheduler == "wlc" || scheduler == "lc") && pool.size() >= 2 &&
                       !is_udp(facts.service) && !is_persistent(facts.service);
  if (!applies) return std::nullopt;
  constexpr double some_traffic = 10;  // past connections at each
  const double overhead = active_overhead * facts.active + facts.inactive;
  const double past = overhead > 0 ? facts.inactive / overhead : 0;
  const double quiet = mean_quiet(pool);
  const bool decides_by_past = quiet >= 0.75 || past >= 0.5;
  if (facts.inactive < some_traffic * static_cast<double>(pool.size()) || !decides_by_past) {
    return std::nullopt;
  }
  Finding finding{.id = "wlc_sees_the_past"};
  finding.seen = fmt::format(
      "{:.3g} connections open and {:.0f} finished ones at {} destinations; {:.0f} % of the looks "
      "saw at most one open",
      facts.active, facts.inactive, pool.size(), 100 * quiet);
  finding.effect = fmt::format(
      "{} compares 256 x open + finished, and finished ones linger for two minutes: with so few "
      "open ones it evens out past connections, and chance decides who gets the next",
      scheduler);
  if (all_masqueraded(pool)) {
    propose_sed(facts, pool, finding);
  } else {
    propose_wrr(facts, pool, finding);
  }
  return finding;
}

std::optional<Finding> udp_is_never_active(const ServiceFacts& facts) {
  const auto& scheduler = facts.service.scheduler;
  const auto pool = dealt_to(facts);
  const bool applies = (scheduler == "sed" || scheduler == "nq") && is_udp(facts.service);
  if (!applies || pool.size() < 2) return std::nullopt;
  Finding finding{.id = "udp_is_never_active", .severity = Severity::warning};
  finding.seen = fmt::format("{} for UDP, {} destinations, {:.0f} entries", scheduler, pool.size(),
                             facts.active + facts.inactive);
  finding.effect = fmt::format(
      "the kernel never counts an entry of UDP as active, so {} sees everybody idle and gives all "
      "to one destination",
      scheduler);
  finding.advice = "wlc counts UDP entries until they time out; wrr needs to count nothing";
  finding.proposal = Proposal{"wlc", weights_of(pool)};
  finding.commands = commands_to(facts, *finding.proposal);
  finding.configuration = lines_to(facts, *finding.proposal);
  return finding;
}

namespace {

/// Two digits: nobody means 1,487 by a threshold.
std::uint32_t rounded_up(double number) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
  return static_cast<std::uint32_t>(std::min(std::ceil(number / unit) * unit, 2147483647.0));
}

std::string raise_command(const ServiceFacts& facts, const DestinationFacts& full) {
  constexpr double room = 1.5;
  auto destination = full.destination;
  const auto before = destination.upper_threshold;
  destination.upper_threshold = rounded_up(room * static_cast<double>(full.most));
  if (destination.lower_threshold > 0) {
    destination.lower_threshold = static_cast<std::uint32_t>(
        std::uint64_t{destination.lower_threshold} * destination.upper_threshold / before);
  }
  return edit_destination_command(facts.service.key, destination);
}

}  // namespace

std::optional<Finding> threshold_reached(const ServiceFacts& facts) {
  constexpr double near = 0.9;
  Finding finding{.id = "threshold_reached", .severity = Severity::note};
  std::vector<std::string> full;
  for (const auto& one : facts.destinations) {
    const double limit = one.destination.upper_threshold;
    if (limit == 0 || static_cast<double>(one.most) < near * limit) continue;
    if (static_cast<double>(one.most) >= limit) finding.severity = Severity::warning;
    full.push_back(fmt::format("{} has {} of {} connections, {:.0f} of them not active", one.name,
                               one.most, one.destination.upper_threshold, one.inactive));
    finding.commands.push_back(raise_command(facts, one));
  }
  if (full.empty()) return std::nullopt;
  finding.seen = names_text(full);
  finding.effect =
      "at its upper threshold a destination gets no new connection until it is below the lower one "
      "(three quarters of the upper where there is none); those that are not active count "
      "until they expire, which takes two minutes for TCP and five for UDP";
  finding.advice =
      "where the limit is meant for open connections, allow for the others; where it is "
      "meant as it is, another server is missing";
  return finding;
}

std::optional<Finding> drained_with_connections(const ServiceFacts& facts) {
  std::vector<std::string> open;
  std::uint64_t arrived = 0;
  for (const auto& one : facts.destinations) {
    if (one.destination.weight > 0 || one.weight_changed || one.active <= 0) continue;
    open.push_back(
        fmt::format("{} has weight 0 and {:.3g} open connections", one.name, one.active));
    arrived += one.new_connections.value_or(0);
  }
  if (open.empty()) return std::nullopt;
  Finding finding{.id = "drained_with_connections", .severity = Severity::note};
  finding.seen =
      fmt::format("{}; {} new ones in {:.0f} s", names_text(open), arrived, facts.counted_s);
  finding.effect = "weight 0 ends no connection: established ones go on for as long as they like";
  finding.advice =
      "wait for them, or end them at the server; a weight above 0 puts it back into service";
  if (is_persistent(facts.service) && arrived > 0) {
    finding.severity = Severity::warning;
    finding.effect = fmt::format(
        "clients with a persistence template keep coming, and each connection prolongs it by {} s: "
        "it never runs empty",
        facts.service.timeout_s);
    finding.advice = "let weight 0 end templates, for all services of this director";
    finding.commands = {"sysctl -w net.ipv4.vs.expire_quiescent_template=1"};
  }
  return finding;
}

std::optional<Finding> counters_stand_still(const ServiceFacts& facts) {
  const bool frozen = facts.complete && facts.rate == 0.0 && facts.open_moved;
  if (!frozen) return std::nullopt;
  Finding finding{.id = "counters_stand_still", .severity = Severity::warning};
  finding.seen =
      fmt::format("the number of open connections changed within {:.0f} s, and no counter did",
                  facts.watched_s);
  finding.effect =
      "either connections only ended, or the kernel does not estimate: then rates, shares and "
      "monitord's learning stand still as well";
  finding.advice = "look whether estimation is off, and turn it on";
  finding.commands = {"sysctl net.ipv4.vs.run_estimation",
                      "sysctl -w net.ipv4.vs.run_estimation=1"};
  return finding;
}

}  // namespace lvs::monitorctl
