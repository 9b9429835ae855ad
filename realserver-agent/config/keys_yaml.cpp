#include "realserver-agent/config/keys_yaml.hpp"

#include <utility>

#include "keyfile/keyfile.hpp"

namespace lvs::agent {

tl::expected<std::vector<AgentKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file) {
  auto entries =
      keyfile::entries_from_yaml(std::move(text), std::move(file), keyfile::Holds::agent_keys);
  if (!entries) return tl::make_unexpected(std::move(entries.error()));
  std::vector<AgentKey> keys;
  for (const auto& entry : *entries)
    keys.push_back({entry.id, entry.key});
  return keys;
}

}  // namespace lvs::agent
