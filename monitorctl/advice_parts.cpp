#include "monitorctl/advice_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "loadcalc/small_integers.hpp"
#include "loadcalc/wrr_run.hpp"
#include "monitorctl/ipvsadm_command.hpp"

namespace lvs::monitorctl {

std::string weights_text(const std::vector<std::uint32_t>& weights) {
  constexpr std::size_t most = 8;
  constexpr std::size_t shown = 6;
  const auto count = weights.size() > most ? shown : weights.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ":", weights[i]);
  return count < weights.size() ? fmt::format("{}:... ({})", text, weights.size()) : text;
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  constexpr std::size_t shown = 3;
  const auto count = names.size() > most ? shown : names.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return count < names.size() ? fmt::format("{} and {} more", text, names.size() - count) : text;
}

bool all_equal(const std::vector<std::uint32_t>& weights) {
  return std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
}

std::vector<std::uint32_t> equal_weights(const std::vector<const DestinationFacts*>& pool) {
  auto weights = weights_of(pool);
  if (!all_equal(weights)) std::fill(weights.begin(), weights.end(), plain_weight);
  return weights;
}

std::vector<std::uint32_t> small_weights(const std::vector<std::uint32_t>& weights) {
  const std::vector<double> targets(weights.begin(), weights.end());
  return loadcalc::small_integers(targets, std::numeric_limits<std::uint16_t>::max());
}

std::uint64_t run_of(const std::vector<const DestinationFacts*>& pool,
                     const std::vector<std::uint32_t>& weights) {
  return loadcalc::longest_wrr_run(in_list_order(pool, weights));
}

bool is_bursty(std::uint64_t run, std::uint64_t small_run) {
  constexpr std::uint64_t noticeable_run = 4;
  return run >= noticeable_run && run >= 2 * small_run;
}

std::vector<std::uint32_t> even_weights(const std::vector<const DestinationFacts*>& pool) {
  const auto weights = weights_of(pool);
  const auto small = small_weights(weights);
  return is_bursty(run_of(pool, weights), run_of(pool, small)) ? small : weights;
}

std::vector<std::string> commands_to(const ServiceFacts& facts, const Proposal& proposal) {
  std::vector<std::string> commands;
  if (proposal.scheduler != facts.service.scheduler) {
    auto service = facts.service;
    service.scheduler = proposal.scheduler;
    commands.push_back(edit_service_command(service));
  }
  const auto pool = dealt_to(facts);
  for (std::size_t i = 0; i < pool.size(); ++i) {
    auto destination = pool[i]->destination;
    if (destination.weight == proposal.weights[i]) continue;
    destination.weight = proposal.weights[i];
    commands.push_back(edit_destination_command(facts.service.key, destination));
  }
  return commands;
}

std::vector<std::string> lines_to(const ServiceFacts& facts, const Proposal& proposal) {
  const bool scheduler = proposal.scheduler != facts.service.scheduler;
  const bool weights = proposal.weights != weights_of(dealt_to(facts));
  auto what = scheduler ? "lb_algo " + proposal.scheduler : std::string();
  if (weights) what += (scheduler ? ", and " : "") + std::string("weight in each real_server");
  std::vector<std::string> lines{keepalived_line(what)};
  if (weights && facts.steered) {
    lines.emplace_back(
        "monitord.yaml, where it has bases for this service: base in each of its servers");
  }
  return lines;
}

std::string keepalived_line(const std::string& what) {
  return "keepalived.conf, where keepalived made the service: " + what;
}

std::string service_word(const ServiceFacts& facts) {
  auto word = facts.name;
  std::replace(word.begin(), word.end(), ' ', ':');
  return word;
}

}  // namespace lvs::monitorctl
