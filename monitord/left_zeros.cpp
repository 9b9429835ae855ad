#include "monitord/left_zeros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

struct OwnZero {
  DestinationId id{};
  ZeroCause cause{};
  std::uint32_t base{};
};

std::vector<OwnZero> own_zeros(const State& state, std::span<const ipvs::ServiceEntry> table) {
  std::vector<OwnZero> zeros;
  for (auto const& entry : table) {
    auto const service = state.services.find(entry.service.key);
    if (service == state.services.end()) continue;
    for (auto const& seen : entry.destinations) {
      auto const known = service->second.destinations.find(seen.key);
      bool const own = known != service->second.destinations.end() && known->second.own_zero;
      if (!own || (known->second.last_weight != 0 && seen.weight != 0)) continue;
      zeros.push_back({{entry.service.key, seen.key}, *known->second.own_zero, known->second.base});
    }
  }
  return zeros;
}

std::string_view words(ZeroCause cause) {
  switch (cause) {
    case ZeroCause::hand:
      return "drained by hand";
    case ZeroCause::silence:
      return "on_silence: drain";
    case ZeroCause::agent:
      return "agent_drain: true";
  }
  return "drained";
}

/// "10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0, which monitord set (drained by hand)"
std::string stays(const OwnZero& zero) {
  return fmt::format("{} of {} stays at 0, which monitord set ({})",
                     ipvs::string_from_destination_key(zero.id.destination),
                     ipvs::string_from_service_key(zero.id.service), words(zero.cause));
}

/// As monitorctl takes it: tcp:10.9.9.9:80.
std::string argument(const ipvs::ServiceKey& key) {
  auto text = ipvs::string_from_service_key(key);
  std::ranges::replace(text, ' ', ':');
  return text;
}

std::string in_dry_run(const OwnZero& zero) {
  return fmt::format(
      "{}: nothing is written in a dry run. Give it a weight yourself (its base is {}), or let "
      "monitord do it, with dry_run: false",
      stays(zero), zero.base);
}

/// Where a person ordered it so; how that ends.
std::optional<std::string> by_order(const OwnZero& zero, const Orders& orders) {
  if (orders.drains.contains(zero.id)) {
    return fmt::format("{}, until `monitorctl undrain {} {}`", stays(zero),
                       argument(zero.id.service),
                       ipvs::string_from_destination_key(zero.id.destination));
  }
  bool const paused = pause_of(orders, zero.id.service) == Pause::paused;
  if (!paused || zero.cause == ZeroCause::hand) return std::nullopt;
  return fmt::format("{}: paused by hand, until `monitorctl resume{}`", stays(zero),
                     orders.everything ? "" : " " + argument(zero.id.service));
}

std::string given_back(const OwnZero& zero) {
  return fmt::format(
      "{} of {} gets its base weight {} back in the next cycle: monitord set it to 0 ({}) and does "
      "not steer it any more",
      ipvs::string_from_destination_key(zero.id.destination),
      ipvs::string_from_service_key(zero.id.service), zero.base, words(zero.cause));
}

std::string after_the_end(const OwnZero& zero, const Orders& orders) {
  auto const ordered = by_order(zero, orders);
  auto const text = ordered ? *ordered : stays(zero) + ": it could not be written";
  return fmt::format(
      "{}. monitord ends: the next one goes on from there; without one give it a "
      "weight yourself (its base is {})",
      text, zero.base);
}

using Sentence = std::function<std::optional<std::string>(const OwnZero&)>;

std::vector<std::string> sentences(const State& state, std::span<const ipvs::ServiceEntry> table,
                                   const Sentence& about) {
  std::vector<std::string> all;
  for (auto const& zero : own_zeros(state, table)) {
    if (auto text = about(zero)) all.push_back(*std::move(text));
  }
  return all;
}

}  // namespace

std::vector<std::string> let_go_zeros(const State& state, std::span<const ipvs::ServiceEntry> table,
                                      const Config& config) {
  return sentences(state, table, [&](const OwnZero& zero) -> std::optional<std::string> {
    if (config.dry_run) return in_dry_run(zero);
    if (is_managed(config, zero.id.service)) return std::nullopt;
    auto ordered = by_order(zero, state.orders);
    return ordered ? ordered : given_back(zero);
  });
}

std::vector<std::string> left_zeros(const State& state, std::span<const ipvs::ServiceEntry> table,
                                    const Config& config) {
  return sentences(state, table, [&](const OwnZero& zero) -> std::optional<std::string> {
    return config.dry_run ? in_dry_run(zero) : after_the_end(zero, state.orders);
  });
}

}  // namespace lvs::monitord
