#pragma once

// keys.yaml: the director's has master keys, an agent's has that agent's keys. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "agentproto/key.hpp"
#include "keyfile/keyfile.hpp"

namespace lvs::monitorctl {

using StoredKey = keyfile::Entry;

/// `keys:` with one or more of `- id: 1` and either `master:` or `key:` of 64 hex digits. The
/// error is every problem, ready to print; it never quotes a key.
tl::expected<std::vector<StoredKey>, std::string> stored_keys_from_yaml(std::string text,
                                                                        std::string file);

/// Why no agent answers to `name`, and what to write; empty where it may be one. monitord asks
/// under an address as it writes it itself: a key for another spelling would never fit.
std::string fault_of_agent_name(std::string_view name);

/// What belongs into the director's keys.yaml.
std::string director_keys_yaml(const agentproto::Key& master);
/// What belongs into the keys.yaml of the agent `name`: its keys for all master keys.
tl::expected<std::string, std::string> agent_keys_yaml(const std::vector<StoredKey>& keys,
                                                       std::string_view name);

/// The key that `name` answers to: derived from a master key, or an agent's key as it is.
agentproto::Key key_for_agent(const StoredKey& stored, std::string_view name);

}  // namespace lvs::monitorctl
