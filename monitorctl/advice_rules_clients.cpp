// Rules about who comes: persistence and hashes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "monitorctl/advice_parts.hpp"
#include "monitorctl/advice_rules.hpp"
#include "monitorctl/ipvsadm_command.hpp"

namespace lvs::monitorctl {
namespace {

/// ip_vs_sh.c: IP_VS_SH_TAB_SIZE with the default of 8 bits.
constexpr std::uint64_t sh_slots = 256;

bool one_address_each(const ipvs::Service& service) {
  return service.netmask == (service.key.family == ipvs::Family::inet6 ? 128 : 0xffffffff);
}

/// What could be done to the persistence of the service, the gentlest first.
void mend_persistence(const ServiceFacts& facts, Finding& finding) {
  auto service = facts.service;
  if (!one_address_each(service)) {
    service.netmask = service.key.family == ipvs::Family::inet6 ? 128 : 0xffffffff;
    finding.advice = "let every address be a client of its own";
    finding.configuration = {keepalived_line("no persistence_granularity")};
  } else {
    service.flags &= ~ipvs::service_flag::persistent;
    finding.advice =
        "where the application does not need its clients to stay, take persistence off; where it "
        "does, weights are not worth the trouble";
    finding.configuration = {keepalived_line("no persistence_timeout")};
  }
  finding.commands = {edit_service_command(service)};
}

bool weights_change(const ServiceFacts& facts) {
  return facts.steered || std::any_of(facts.destinations.begin(), facts.destinations.end(),
                                      [](const auto& one) { return one.weight_changed; });
}

bool is_hash(const ServiceFacts& facts) {
  return facts.service.scheduler == "sh" || facts.service.scheduler == "mh";
}

/// In the ratios of `weights`, 1 at least, and no more than there are slots.
std::vector<std::uint32_t> within_slots(const std::vector<std::uint32_t>& weights) {
  const auto sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> smaller;
  std::uint64_t taken = 0;
  for (const auto weight : weights) {
    smaller.push_back(static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, std::uint64_t{weight} * sh_slots / sum)));
    taken += smaller.back();
  }
  for (; taken > sh_slots; --taken)
    --*std::max_element(smaller.begin(), smaller.end());
  return smaller;
}

}  // namespace

std::optional<Finding> few_persistent_clients(const ServiceFacts& facts) {
  constexpr double enough_each = 20;
  const auto pool = dealt_to(facts);
  if (!facts.complete || !is_persistent(facts.service) || pool.size() < 2) return std::nullopt;
  std::uint64_t clients = 0;
  for (const auto* const one : pool)
    clients += one->destination.persistent_connections;
  const double each = static_cast<double>(clients) / static_cast<double>(pool.size());
  if (clients == 0 || each >= enough_each) return std::nullopt;
  Finding finding{.id = "few_persistent_clients"};
  finding.seen = fmt::format("{} persistence templates at {} destinations, timeout {} s{}", clients,
                             pool.size(), facts.service.timeout_s,
                             one_address_each(facts.service) ? "" : ", many addresses to each");
  finding.effect = fmt::format(
      "a client stays where its first connection went: with so few, shares are off by about "
      "{:.0f} % by chance, whatever the weights say",
      100 / std::sqrt(each));
  mend_persistence(facts, finding);
  return finding;
}

std::optional<Finding> hash_moves_clients(const ServiceFacts& facts) {
  if (!is_hash(facts) || !weights_change(facts)) return std::nullopt;
  const bool source_hash = facts.service.scheduler == "sh";
  Finding finding{.id = "hash_moves_clients"};
  finding.seen = facts.steered ? facts.service.scheduler + " whose weights monitord writes"
                               : facts.service.scheduler + " whose weights changed meanwhile";
  finding.effect =
      source_hash ? "an edit deals the slots of its table anew and moves clients to other servers: "
                    "10:10:10 to 10:10:9 moved 133 of 300"
                  : "an edit builds its table anew and moves some clients to other servers: "
                    "100:100:100 to 100:100:99 moved 11 of 300";
  finding.advice = "change weights rarely";
  finding.configuration = {fmt::format(
      "monitord.yaml, services: - {{service: \"{}\", boundary: 20%}}", service_word(facts))};
  if (!source_hash) return finding;
  finding.advice += "; mh moves fewer clients than sh";
  auto service = facts.service;
  service.scheduler = "mh";
  service.flags |= ipvs::service_flag::sched1;
  finding.commands = {edit_service_command(service)};
  finding.configuration.push_back(keepalived_line("lb_algo mh"));
  return finding;
}

std::optional<Finding> hash_has_no_slot(const ServiceFacts& facts) {
  const auto pool = dealt_to(facts);
  if (facts.service.scheduler != "sh" || pool.size() < 2) return std::nullopt;
  const auto weights = weights_of(pool);
  const auto sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  if (sum <= sh_slots || pool.size() > sh_slots) return std::nullopt;
  const Proposal smaller{"sh", within_slots(weights)};
  Finding finding{.id = "hash_has_no_slot", .severity = Severity::warning};
  finding.seen = fmt::format("sh with weights {}, {} in sum", weights_text(weights), sum);
  finding.effect =
      "sh deals 256 slots, one for each unit of weight, and stops when they are gone: 300:300:300 "
      "sent everybody to one server";
  finding.advice = fmt::format("{} says nearly the same within 256", weights_text(smaller.weights));
  finding.commands = commands_to(facts, smaller);
  finding.configuration = lines_to(facts, smaller);
  return finding;
}

std::optional<Finding> hash_refuses_clients(const ServiceFacts& facts) {
  const bool falls_back = (facts.service.flags & ipvs::service_flag::sched1) != 0;
  if (!facts.complete || !is_hash(facts) || falls_back) return std::nullopt;
  std::vector<std::string> drained;
  for (const auto& one : facts.destinations) {
    if (one.destination.weight == 0) drained.push_back(one.name);
  }
  if (drained.empty()) return std::nullopt;
  Finding finding{.id = "hash_refuses_clients", .severity = Severity::warning};
  finding.seen = fmt::format("{} without {}-fallback, and weight 0 at {}", facts.service.scheduler,
                             facts.service.scheduler, names_text(drained));
  finding.effect = "clients whose slot belongs to a destination of weight 0 are refused";
  finding.advice = "let the hash go on to the next destination";
  auto service = facts.service;
  service.flags |= ipvs::service_flag::sched1;
  finding.commands = {edit_service_command(service)};
  finding.configuration = {keepalived_line(facts.service.scheduler + "-fallback")};
  return finding;
}

namespace {

/// ipvsadm -E and -e set everything anew: what was not read would be lost.
void withhold_edits(Finding& finding) {
  const auto withheld = std::erase_if(
      finding.commands, [](const auto& command) { return command.starts_with("ipvsadm "); });
  if (withheld == 0) return;
  finding.configuration.emplace_back(
      "run this as root for the ipvsadm commands: without CAP_NET_ADMIN persistence, thresholds "
      "and tunnels cannot be read, and a command without them would reset them");
}

}  // namespace

std::vector<Finding> findings_of(const ServiceFacts& facts) {
  using Rule = std::optional<Finding> (*)(const ServiceFacts&);
  constexpr std::array<Rule, 13> rules{
      counters_stand_still,   udp_is_never_active, wrr_bursts,
      wlc_sees_the_past,      sed_is_the_rival,    weights_ignored,
      few_persistent_clients, hash_has_no_slot,    hash_refuses_clients,
      hash_moves_clients,     threshold_reached,   drained_with_connections,
      shares_differ};
  std::vector<Finding> findings;
  for (const auto rule : rules) {
    auto finding = rule(facts);
    if (!finding) continue;
    if (!facts.complete) withhold_edits(*finding);
    findings.push_back(std::move(*finding));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return findings;
}

}  // namespace lvs::monitorctl
