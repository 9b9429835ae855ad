#include "monitord/outputs/followed_weights.hpp"

#include <algorithm>
#include <cstddef>

namespace lvs::monitord {
namespace {

/// More writes than that within patience are none of ours: see min_write_interval.
constexpr std::size_t most_before = 16;

}  // namespace

void FollowedWeights::wrote(const DestinationId& id, std::uint32_t before, std::uint32_t weight,
                            Moment now) {
  auto& mine = under_way_[id];
  if (mine.before.size() == most_before) mine.before.erase(mine.before.begin());
  mine.before.push_back(before);
  mine.weight = weight;
  mine.at = now;
}

void FollowedWeights::show(ipvs::ServiceEntry& entry, Moment now) {
  for (auto& destination : entry.destinations)
    show({entry.service.key, destination.key}, destination.weight, now);
}

void FollowedWeights::show(const DestinationId& id, std::uint32_t& weight, Moment now) {
  if (auto const late = lagging_.find(id); late != lagging_.end() && late->second == weight) {
    lagging_.erase(late);
  }
  auto const found = under_way_.find(id);
  if (found == under_way_.end()) return;
  auto const& mine = found->second;
  bool const expected = std::ranges::find(mine.before, weight) != mine.before.end();
  if (weight != mine.weight && expected) {
    if (now - mine.at < patience) {
      weight = mine.weight;
      return;
    }
    lagging_[id] = mine.weight;
  }
  under_way_.erase(found);
}

std::vector<std::string> FollowedWeights::notes() const {
  std::vector<std::string> notes;
  for (auto const& [id, weight] : lagging_) {
    notes.push_back(ipvs::string_from_destination_key(id.destination) + " of " +
                    ipvs::string_from_service_key(id.service) +
                    ": keepalived did not take weight " + std::to_string(weight) +
                    " from its track file: does a FILE_CHECK with weight 1 name that file, and is "
                    "the weight of the real_server 0?");
  }
  return notes;
}

}  // namespace lvs::monitord
