#pragma once

// What monitord may do once it has started: have CAP_NET_ADMIN, and nothing else of root's.

#include <string>

#include <tl/expected.hpp>

#include "monitord/configuration.hpp"

namespace lvs::monitord {

/// Gives up all rights but CAP_NET_ADMIN, for good. As root monitord stays root, but opens only
/// what owner and mode allow: `configuration` gets a note for each of its files that a reload could
/// not read. Fails, with a text for people, also where the state file is out of reach from then on:
/// bases that are not remembered would drift.
tl::expected<void, std::string> give_up_rights(Configuration& configuration);

/// The same where nothing is remembered and nothing reloaded.
tl::expected<void, std::string> give_up_rights();

}  // namespace lvs::monitord
