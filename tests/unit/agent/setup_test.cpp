// Files of the configuration: their modes and where the keys come from.

#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "realserver-agent/setup.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs::agent;

namespace {

const std::string keys_text = "keys:\n  - {id: 1, key: " + std::string(64, 'a') + "}\n";

struct Files {
  std::string config() const {
    return tree.write("agent.yaml", "keys: " + tree.file("keys.yaml") + "\n");
  }
  std::string keys(mode_t mode, const std::string& text = keys_text) const {
    const std::string file = tree.write("keys.yaml", text);
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    return file;
  }
  lvs::testing::ScratchFolder tree{};
};

}  // namespace

TEST_CASE("setup: a configuration that is not there is an error with its name") {
  const auto setup = load_config("/nowhere/agent.yaml");
  REQUIRE_FALSE(setup.has_value());
  CHECK(setup.error() == "/nowhere/agent.yaml: No such file or directory");
}

TEST_CASE("setup: without keys it says how to make them") {
  const Files files;
  const std::string config = files.config();
  CHECK(load_config(config).has_value());
  const auto missing = load_setup(config);
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().find("monitorctl keygen --agent NAME") != std::string::npos);
  files.keys(0600, "keys: []\n");
  const auto empty = load_setup(config);
  REQUIRE_FALSE(empty.has_value());
  CHECK(empty.error().find("monitorctl keygen --agent NAME") != std::string::npos);
}

TEST_CASE("setup: keys that others may use or the group may write are refused") {
  const Files files;
  const std::string config = files.config();
  const std::string file = files.keys(GENERATE(as<mode_t>{}, 0644, 0604, 0602, 0601, 0660, 0620));
  const auto open = load_setup(config);
  REQUIRE_FALSE(open.has_value());
  CHECK(open.error().find("; run: chmod 0600 " + file) != std::string::npos);
  files.keys(GENERATE(as<mode_t>{}, 0600, 0640, 0400, 0440));
  CHECK(load_setup(config)->keys.size() == 1);
}

TEST_CASE("setup: a check finds all that is wrong and warns of what only is not there yet") {
  const Files files;
  const std::string config = files.config();
  CHECK(check_setup(config).problems.empty());
  CHECK(check_setup(config).warnings.find("monitorctl keygen --agent NAME") != std::string::npos);
  const std::string keys = files.keys(0644);
  CHECK(check_setup(config).problems.find("run: chmod 0600 " + keys) != std::string::npos);
  files.keys(0600, "keys:\n  - {id: 0, key: x}\n");
  CHECK(check_setup(config).problems.find("keys.yaml:2:") != std::string::npos);
  files.keys(0600);
  CHECK(check_setup(config).problems.empty());
  CHECK(check_setup(config).warnings.empty());
  const auto bad = check_setup(files.tree.write("bad.yaml", "prot: 1\nrate_limit: 0\n"));
  CHECK(bad.problems.find("did you mean \"port\"?") != std::string::npos);
  CHECK(bad.problems.find("2 errors in ") != std::string::npos);
}

TEST_CASE("setup: what the command line says of the log holds over the file") {
  const Files files;
  const std::string config = files.tree.write(
      "agent.yaml", "security: none\nallow: [127.0.0.1]\nlog: {level: warning, format: json}\n");
  CHECK(load_setup(config)->config.log_level == "warning");
  CHECK(load_setup(config)->config.log_format == "json");
  const auto setup = load_setup(config, {"debug", "text"});
  CHECK(setup->config.log_level == "debug");
  CHECK(setup->config.log_format == "text");
}

TEST_CASE("setup: broken keys are an error that shows nothing of them") {
  const Files files;
  const std::string config = files.config();
  files.keys(0600, "keys:\n  - {id: 1, key: " + std::string(63, 'a') + "}\n");
  const auto setup = load_setup(config);
  REQUIRE_FALSE(setup.has_value());
  CHECK(setup.error().find("aaaa") == std::string::npos);
}

TEST_CASE("setup: no keys are needed where the operator wrote so") {
  const Files files;
  const std::string config = files.tree.write("agent.yaml", "security: none\nallow: [127.0.0.1]\n");
  const auto setup = load_setup(config);
  REQUIRE(setup.has_value());
  CHECK(setup->keys.empty());
  CHECK_FALSE(setup->warnings.empty());
}

TEST_CASE("setup: a credential comes before the file") {
  const Files files;
  const std::string config = files.config();
  files.keys(0600, "keys: []\n");
  const std::string credential = files.tree.write("credentials/keys", keys_text);
  REQUIRE(::chmod(credential.c_str(), 0400) == 0);
  REQUIRE(::setenv("CREDENTIALS_DIRECTORY", files.tree.file("credentials").c_str(), 1) == 0);
  const auto setup = load_setup(config);
  REQUIRE(::unsetenv("CREDENTIALS_DIRECTORY") == 0);
  REQUIRE(setup.has_value());
  CHECK(setup->keys.size() == 1);
}

TEST_CASE("setup: a credential whose file others may read is refused") {
  const Files files;
  const std::string config = files.config();
  files.keys(0644);
  const std::string credential = files.tree.write("credentials/keys", keys_text);
  REQUIRE(::chmod(credential.c_str(), 0400) == 0);
  REQUIRE(::setenv("CREDENTIALS_DIRECTORY", files.tree.file("credentials").c_str(), 1) == 0);
  const auto setup = load_setup(config);
  REQUIRE(::unsetenv("CREDENTIALS_DIRECTORY") == 0);
  REQUIRE_FALSE(setup.has_value());
  CHECK(setup.error().find("run: chmod 0600 ") != std::string::npos);
}

TEST_CASE("setup: keys that the agent may not read are refused with who reads them") {
  const Files files;
  const std::string config = files.config();
  files.keys(0);
  REQUIRE(::chmod(files.tree.path().c_str(), 0711) == 0);
  const lvs::testing::WithoutRoot stepped_down;
  const auto refused = load_setup(config);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("Permission denied\n") != std::string::npos);
  CHECK(refused.error().find("start the agent as root") != std::string::npos);
}
