#include "monitord/probe_notes.hpp"

#include <string_view>

#include "ipvs/types.hpp"
#include "monitord/strategies.hpp"

namespace lvs::monitord {
namespace {

void add_note(std::string_view where, const Policy& policy, std::vector<std::string>& notes) {
  if (policy.probe || !readings_needed(policy).response) return;
  std::string note{where};
  note.append(": strategy ").append(name_of_strategy(policy.strategy));
  notes.push_back(note +
                  " looks at response times, but there is no probe: the coefficient is left "
                  "out; probe: {type: tcp} would measure them");
}

}  // namespace

std::vector<std::string> notes_from_missing_probes(const Config& config) {
  std::vector<std::string> notes;
  if (config.services) {
    for (const auto& service : *config.services)
      add_note(ipvs::string_from_service_key(service.key), service.policy, notes);
  } else {
    add_note("defaults", config.defaults, notes);
  }
  for (const auto& pool : config.pools)
    add_note(ipvs::string_from_service_key(pool.service.key), pool.service.policy, notes);
  return notes;
}

}  // namespace lvs::monitord
