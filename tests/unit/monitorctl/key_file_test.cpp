#include "monitorctl/key_file.hpp"

#include <filesystem>
#include <string>
#include <tuple>

#include "monitorctl/key_file_read.hpp"
#include "monitord/keys.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

/// The master key of the protocol's published test vectors: 00 01 … 1f.
lvs::agentproto::Key vector_master() {
  lvs::agentproto::Key key{};
  for (std::size_t byte = 0; byte < key.size(); ++byte) {
    key[byte] = static_cast<std::uint8_t>(byte);
  }
  return key;
}

const std::string hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const std::string web1 = "5e15753cdc103cdcefa5aaa81a9f877d9177555575b6c5a5100450124fda488a";

}  // namespace

TEST_CASE("key file: mistakes are named without showing a key") {
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {"", "keys"},
      {"keys: []\n", "there has to be a key"},
      {"keys:\n  - id: 1\n    key: \"" + std::string(64, '0') + "\"\n", "all zeros"},
      {"keys:\n  - id: 0\n    master: " + hex + "\n", "id"},
      {"keys:\n  - master: " + hex + "\n", "id"},
      {"keys:\n  - id: 1\n", "either \"master\""},
      {"keys:\n  - id: 1\n    master: " + hex + "\n    key: " + hex + "\n", "either \"master\""},
      {"keys:\n  - id: 1\n    master: " + hex.substr(1) + "\n", "64 hexadecimal digits"},
      {"keys:\n  - id: 1\n    mater: " + hex + "\n", "did you mean \"master\"?"},
      {"keys:\n  - id: 1\n    key: " + hex + "\n  - id: 1\n    key: " + web1 + "\n",
       "there are two keys with this id"},
      {"kees:\n  - id: 1\n", "did you mean \"keys\"?"},
  }));
  const auto keys = stored_keys_from_yaml(text, "keys.yaml");
  REQUIRE_FALSE(keys.has_value());
  CHECK(keys.error().find("keys.yaml:") == 0);
  CHECK(keys.error().find(message) != std::string::npos);
  CHECK(keys.error().find(hex.substr(1)) == std::string::npos);
}

TEST_CASE("key file: an agent's key is derived as in the protocol's test vector") {
  const auto yaml = director_keys_yaml(vector_master());
  const auto keys = stored_keys_from_yaml(yaml, "keys.yaml").value();
  REQUIRE(keys.size() == 1);
  CHECK(keys[0] == StoredKey{1, vector_master(), true});
  const auto agent = agent_keys_yaml(keys, "web1").value();
  CHECK(agent.find("keys:\n  - id: 1\n    key: " + web1 + "\n") != std::string::npos);
}

TEST_CASE("key file: what is written for the director is what the daemon reads") {
  const auto keys = lvs::monitord::keys_from_yaml(director_keys_yaml(vector_master()), "k");
  REQUIRE(keys.has_value());
  REQUIRE(keys->size() == 1);
  CHECK(keys->front().id == 1);
  CHECK(keys->front().master == vector_master());
}

TEST_CASE("key file: an agent's file cannot make other agents' keys but can be asked with") {
  const auto keys =
      stored_keys_from_yaml("keys:\n  - id: 3\n    key: " + web1 + "\n", "keys.yaml").value();
  CHECK(agent_keys_yaml(keys, "web2").error().find("key 3 is an agent's key") == 0);
  CHECK(lvs::agentproto::hex_from_key(key_for_agent(keys[0], "any")) == web1);
  CHECK(lvs::agentproto::hex_from_key(key_for_agent({1, vector_master(), true}, "web1")) == web1);
}

TEST_CASE("key file: every live key is handed on in a rotation") {
  const auto keys = stored_keys_from_yaml("keys:\n  - id: 2\n    master: " + web1 +
                                              "\n  - id: 1\n    master: " + hex + "\n",
                                          "keys.yaml")
                        .value();
  const auto agent = agent_keys_yaml(keys, "web1").value();
  CHECK(agent.find("id: 2") < agent.find("id: 1"));
  CHECK(agent.find("id: 1\n    key: " + web1) != std::string::npos);
}

TEST_CASE("key file: a name under which monitord never asks is refused with the right one") {
  const auto [name, hint] = GENERATE(table<std::string, std::string>({
      {"", "a name has 1 to 255"},
      {"web 1", "a name has 1 to 255"},
      {"10.0.0.11:6353", "without the port: 10.0.0.11"},
      {"[fd00::1]:6353", "without the port: fd00::1"},
      {"[fd00::1]", "monitord writes this address fd00::1"},
      {"FD00::0:1", "monitord writes this address fd00::1"},
  }));
  INFO(name);
  const auto fault = fault_of_agent_name(name);
  CHECK(fault.find("is no name of an agent\nhint: ") != std::string::npos);
  CHECK(fault.find(hint) != std::string::npos);
  const auto good = GENERATE(as<std::string>{}, "web1", "10.0.0.11", "fd00::1", "web1.example:x");
  CHECK(fault_of_agent_name(good).empty());
}

TEST_CASE("key file: a missing file and a bad one are told apart") {
  const ScratchFolder directory;
  const auto path = directory.file("keys.yaml");
  const auto missing = read_stored_keys(path);
  REQUIRE_FALSE(missing.has_value());
  CHECK_FALSE(missing.error().bad_content);
  CHECK(missing.error().missing);
  CHECK(missing.error().message == path + ": No such file or directory");
  write_text(path, "keys: 7\n");
  CHECK(read_stored_keys(path).error().bad_content);
  write_text(path, director_keys_yaml(vector_master()));
  CHECK(read_stored_keys(path).value().size() == 1);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const lvs::testing::WithoutRoot stepped_down;
  const auto unreadable = read_stored_keys(path);
  REQUIRE_FALSE(unreadable.has_value());
  CHECK_FALSE(unreadable.error().missing);
  CHECK(unreadable.error().message.find("keys are for root") != std::string::npos);
}
