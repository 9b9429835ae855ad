#include <string>

#include "agentproto/key.hpp"
#include "config_support.hpp"
#include "monitord/keys.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;

TEST_CASE("keys: every bad file says all that is wrong and nothing that is in it") {
  const auto files = yaml_files("tests/golden/config/keys");
  CHECK(files.size() >= 6);
  for (const auto& file : files) {
    INFO(file);
    const auto keys = keys_from_yaml(text_of_file(file), file.filename());
    const std::string said = keys ? "valid\n" : strictyaml::string_from_problems(keys.error());
    CHECK(said == expected_text(file));
    CHECK(said.find("5e15753c") == std::string::npos);
  }
}

TEST_CASE("keys: good keys keep their order") {
  const auto keys = keys_from_yaml(
      text_of_file(LVS_SOURCE_DIR "/tests/golden/config/keys/good.yaml"), "keys.yaml");
  REQUIRE(keys.has_value());
  REQUIRE(keys->size() == 2);
  CHECK(keys->at(0).id == 1);
  CHECK(agentproto::hex_from_key(keys->at(0).master) ==
        "5e15753cdc103cdcefa5aaa81a9f877d9177555575b6c5a5100450124fda488a");
  CHECK(keys->at(1).id == 4294967295);
  CHECK(keys->at(1).master[31] == 0x1f);
}

TEST_CASE("keys: more than sixteen are refused") {
  std::string text = "keys:\n";
  for (int id = 1; id <= 16; ++id) {
    text += "  - {id: " + std::to_string(id) + ", master: \"" + std::string(64, 'a') + "\"}\n";
  }
  CHECK(keys_from_yaml(text, "k").has_value());
  text += "  - {id: 17, master: \"" + std::string(64, 'b') + "\"}\n";
  CHECK_FALSE(keys_from_yaml(text, "k").has_value());
}
