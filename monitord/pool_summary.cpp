#include "monitord/pool_summary.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace lvs::monitord {
namespace {

constexpr Moment minute = std::chrono::minutes{1};

struct LastMinute {
  std::map<DestinationId, std::uint64_t> connections{};
  double seconds{};
};

/// A frame counts what came since the one before: the first one of the minute says nothing.
LastMinute last_minute_of(const History& history) {
  LastMinute minute_sums;
  const auto& frames = history.frames();
  if (frames.empty()) return minute_sums;
  const auto end = frames.back()->now;
  auto begin = end;
  for (auto frame = frames.rbegin(); std::next(frame) != frames.rend(); ++frame) {
    begin = (*std::next(frame))->now;
    if (end - begin > minute && (*frame)->now != end) {
      begin = (*frame)->now;
      break;
    }
    for (std::size_t i = 0; i < (*frame)->points.size(); ++i)
      minute_sums.connections[(*(*frame)->ids)[i]] += (*frame)->points[i].new_connections;
  }
  minute_sums.seconds = std::chrono::duration<double>(end - begin).count();
  return minute_sums;
}

bool has_reading(const Verdict& verdict) {
  return verdict.current > 0 && verdict.composite &&
         (verdict.reading == ReadingState::fresh || verdict.reading == ReadingState::stale);
}

bool is_near_limit(const Verdict& verdict) {
  return verdict.cpu_busy.value_or(0) >= near_limit_cpu ||
         verdict.mem_available.value_or(1) < near_limit_memory;
}

void judge(PoolSummary& pool) {
  std::size_t known = 0;
  std::size_t near_limit = 0;
  std::size_t idle = 0;
  double spare = 0;
  for (const auto& member : pool.members) {
    const auto& verdict = *member.verdict;
    if (!has_reading(verdict)) continue;
    ++known;
    spare += *verdict.composite;
    if (is_near_limit(verdict)) ++near_limit;
    if (verdict.cpu_busy.value_or(1) < next_to_idle_cpu && !is_near_limit(verdict)) ++idle;
  }
  if (known == 0) return;
  pool.spare = spare / static_cast<double>(known);
  pool.overloaded = near_limit == known;
  pool.idle = idle == known;
}

void count(PoolSummary& pool, const Verdict& verdict) {
  if (verdict.current > 0) {
    ++pool.weighted;
  } else {
    ++pool.drained;
  }
  if (verdict.reading == ReadingState::silent && !is_left_alone(verdict.outcome)) ++pool.silent;
  pool.active += verdict.active;
}

void share_out(PoolSummary& pool, const LastMinute& last) {
  std::uint64_t weights = 0;
  std::vector<std::uint64_t> connections;
  for (const auto& member : pool.members) {
    const auto found = last.connections.find({pool.service, member.verdict->destination});
    connections.push_back(found == last.connections.end() ? 0 : found->second);
    pool.new_connections += connections.back();
    weights += member.verdict->current;
  }
  const auto share = [](std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
  };
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    pool.members[i].weight_share = share(pool.members[i].verdict->current, weights);
    pool.members[i].connection_share = share(connections[i], pool.new_connections);
    if (pool.seconds > 0)
      pool.members[i].new_per_second = static_cast<double>(connections[i]) / pool.seconds;
  }
}

}  // namespace

std::vector<PoolSummary> pools_of(const CycleReport& report, const History& history) {
  const auto last = last_minute_of(history);
  std::vector<PoolSummary> pools;
  std::map<ipvs::ServiceKey, std::size_t> places;
  for (const auto& verdict : report.verdicts) {
    const auto [place, is_new] = places.try_emplace(verdict.service, pools.size());
    if (is_new) {
      auto& pool = pools.emplace_back();
      pool.service = verdict.service;
      pool.scheduler = verdict.scheduler;
      pool.persistent_s = verdict.persistent_s;
      pool.seconds = last.seconds;
    }
    auto& pool = pools[place->second];
    pool.members.push_back({&verdict});
    count(pool, verdict);
  }
  for (auto& pool : pools) {
    share_out(pool, last);
    judge(pool);
  }
  return pools;
}

}  // namespace lvs::monitord
