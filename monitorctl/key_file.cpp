#include "monitorctl/key_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "ipvs/types.hpp"
#include "strictyaml/document.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

std::string entry_yaml(std::uint32_t id, std::string_view word, const agentproto::Key& key) {
  return fmt::format("  - id: {}\n    {}: {}\n", id, word, agentproto::hex_from_key(key));
}

}  // namespace

tl::expected<std::vector<StoredKey>, std::string> stored_keys_from_yaml(std::string text,
                                                                        std::string file) {
  return keyfile::entries_from_yaml(std::move(text), std::move(file), keyfile::Holds::either)
      .map_error(strictyaml::string_from_problems);
}

std::string fault_of_agent_name(std::string_view name) {
  const auto fault = [name](std::string_view hint) {
    return fmt::format("{} is no name of an agent\nhint: {}", strictyaml::in_quotes(name), hint);
  };
  if (!agentproto::is_agent_name(name)) return fault(agentproto::agent_name_rule);
  if (const auto endpoint = ipvs::destination_key_from_string(name)) {
    return fault("the name is the address without the port: " +
                 ipvs::string_from_ip_address(endpoint->address));
  }
  const bool brackets = name.size() > 2 && name.front() == '[' && name.back() == ']';
  const auto inner = brackets ? name.substr(1, name.size() - 2) : name;
  const auto address = ipvs::ip_address_from_string(inner);
  const auto written = address ? ipvs::string_from_ip_address(*address) : std::string{name};
  if (written != name) return fault("monitord writes this address " + written);
  return {};
}

std::string director_keys_yaml(const agentproto::Key& master) {
  return "# monitord's keys.yaml: the director keeps it to itself (0640 root:monitord).\n"
         "# Each real server gets its own key: monitorctl keygen --agent NAME\n"
         "keys:\n" +
         entry_yaml(1, "master", master);
}

tl::expected<std::string, std::string> agent_keys_yaml(const std::vector<StoredKey>& keys,
                                                       std::string_view name) {
  auto text =
      fmt::format("# keys.yaml of the real server {} (0600): good for this name only.\n", name);
  text += "keys:\n";
  for (const auto& stored : keys) {
    if (!stored.master) {
      return tl::unexpected(
          fmt::format("key {} is an agent's key: keys of other agents can only "
                      "be made from the director's master keys",
                      stored.id));
    }
    text += entry_yaml(stored.id, "key", key_for_agent(stored, name));
  }
  return text;
}

agentproto::Key key_for_agent(const StoredKey& stored, std::string_view name) {
  return stored.master ? agentproto::agent_key(stored.key, name) : stored.key;
}

}  // namespace lvs::monitorctl
