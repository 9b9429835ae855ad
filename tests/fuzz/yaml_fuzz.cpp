// Any bytes as monitord.yaml, and as keys.yaml: a configuration or problems, never a crash, and no
// control character on the way to a terminal.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "monitord/config_yaml.hpp"
#include "monitord/keys.hpp"
#include "strictyaml/document.hpp"

namespace {

void check(const std::vector<lvs::strictyaml::Problem>& problems) {
  const std::string text = string_from_problems(problems);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) std::abort();
  }
  if (problems.size() > 101) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{data, data + size};
  const auto config = lvs::monitord::config_from_yaml(text, "fuzz.yaml");
  check(config ? config->warnings : config.error());
  const auto keys = lvs::monitord::keys_from_yaml(text, "keys.yaml");
  if (!keys) check(keys.error());
  return 0;
}
