#pragma once

// Services and destinations as words that a shell may complete. Pure.

#include <optional>
#include <string>
#include <vector>

#include "cli/completion.hpp"
#include "ipvs/types.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

struct KnownDestination {
  ipvs::DestinationKey key{};
  std::string what{};  ///< "web1, weight 10"
};

struct KnownService {
  ipvs::ServiceKey key{};
  std::string scheduler{};
  std::vector<KnownDestination> destinations{};
};

std::vector<KnownService> known_from_status(const Status& status);
std::vector<KnownService> known_from_table(const std::vector<ipvs::ServiceEntry>& table);

/// What may stand for SERVICE, DESTINATION, HOST, VIP:PORT, MARK, STRATEGY or SCHEDULER; nothing
/// for another placeholder. The words before the cursor narrow it down.
std::optional<std::vector<cli::Candidate>> candidates_for(const std::string& placeholder,
                                                          const cli::Completion& completion,
                                                          const std::vector<KnownService>& known);

/// Of those, the ones that need to know the table.
bool needs_table(const cli::Completion& completion);

}  // namespace lvs::monitorctl
