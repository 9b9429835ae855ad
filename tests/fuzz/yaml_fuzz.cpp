// Any bytes as monitord.yaml, as realserver-agent.yaml and as either one's keys.yaml: a
// configuration or problems, never a crash, and no control character on the way to a terminal.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitord/config_text.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/keys.hpp"
#include "realserver-agent/config/config_yaml.hpp"
#include "realserver-agent/config/keys_yaml.hpp"
#include "require.hpp"
#include "strictyaml/document.hpp"

namespace {

void check(const std::vector<lvs::strictyaml::Problem>& problems) {
  lvs::fuzz::require_printable(string_from_problems(problems));
  lvs::fuzz::require(problems.size() <= 101);
}

/// What is shown of a good configuration is good as well, and the same.
void check_shown(const std::string& text) {
  const auto document = lvs::monitord::document_from_files({{"fuzz.yaml", text}});
  const auto config = lvs::monitord::config_from_node(document.root());
  if (document.has_errors()) return;
  const auto shown = lvs::monitord::yaml_from_config(config, document.root());
  const auto again = lvs::monitord::config_from_yaml(shown, "shown.yaml");
  lvs::fuzz::require(again.has_value() && again->config == config);
}

/// A part that says the same once more.
void check_parts(const std::string& text) {
  const auto parts = lvs::monitord::config_from_files({{"fuzz.yaml", text}, {"part.yaml", text}});
  check(parts ? parts->warnings : parts.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{data, data + size};
  const auto config = lvs::monitord::config_from_yaml(text, "fuzz.yaml");
  check(config ? config->warnings : config.error());
  check_shown(text);
  check_parts(text);
  const auto keys = lvs::monitord::keys_from_yaml(text, "keys.yaml");
  if (!keys) check(keys.error());
  const auto agent = lvs::agent::config_from_yaml(text, "agent.yaml");
  check(agent ? agent->warnings : agent.error());
  if (agent) lvs::fuzz::require(!agent->config.listen.empty());
  const auto agent_keys = lvs::agent::keys_from_yaml(text, "keys.yaml");
  if (!agent_keys) check(agent_keys.error());
  return 0;
}
