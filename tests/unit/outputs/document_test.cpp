// docs/OUTPUTS.md: what people copy out of it is valid, and both sides of it belong together.

#include <string>
#include <vector>

#include "monitord/config_yaml.hpp"
#include "monitord/outputs/output_kind.hpp"
#include "monitord/outputs/track_file.hpp"
#include "support/catch.hpp"
#include "support/fenced_blocks.hpp"

using namespace lvs;
using namespace lvs::monitord;
using lvs::testing::fenced_blocks;

namespace {

const std::string& document() {
  static const std::string text = lvs::testing::text_of_file(LVS_SOURCE_DIR "/docs/OUTPUTS.md");
  return text;
}

std::vector<Config> configurations() {
  std::vector<Config> all;
  for (auto const& block : fenced_blocks(document(), "yaml")) {
    auto checked = config_from_yaml(block, "OUTPUTS.md");
    if (!checked) FAIL(strictyaml::string_from_problems(checked.error()));
    CHECK(checked->warnings.empty());
    all.push_back(checked->config);
  }
  return all;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("outputs document: every output is described") {
  for (auto const& output : outputs())
    CHECK(holds(document(), "\n## " + std::string(output.name) + "\n"));
}

TEST_CASE("outputs document: HAProxy's side is that of the pool") {
  auto const blocks = fenced_blocks(document(), "haproxy");
  REQUIRE(blocks.size() == 1);
  std::size_t servers = 0;
  for (auto const& config : configurations()) {
    for (auto const& pool : config.pools) {
      if (pool.service.output != OutputKind::haproxy) continue;
      CHECK(holds(blocks[0], "backend " + pool.backend + "\n"));
      CHECK(holds(blocks[0], "balance " + pool.balance + "\n"));
      CHECK(holds(blocks[0], "stats socket " + pool.stats + " "));
      for (auto const& [key, name] : pool.names) {
        ++servers;
        CHECK(holds(blocks[0], "server " + name + " " + ipvs::string_from_destination_key(key) +
                                   " weight " + std::to_string(pool.service.bases.at(key)) + " "));
        CHECK(holds(blocks[0], "agent-send \"" + pool.backend + "/" + name + "\\n\""));
      }
    }
  }
  CHECK(servers == 2);
  CHECK(holds(blocks[0], "agent-port 6355 "));
}

TEST_CASE("outputs document: nginx's side is that of the pool") {
  auto const blocks = fenced_blocks(document(), "nginx");
  REQUIRE(blocks.size() == 1);
  std::size_t files = 0;
  for (auto const& config : configurations()) {
    for (auto const& pool : config.pools) {
      if (pool.service.output != OutputKind::nginx) continue;
      ++files;
      CHECK(holds(blocks[0], "include " + pool.file + ";\n"));
      CHECK(pool.balance == "roundrobin");
    }
  }
  CHECK(files == 1);
}

TEST_CASE("outputs document: PowerDNS's side is that of the zone") {
  auto const blocks = fenced_blocks(document(), "pdns");
  REQUIRE(blocks.size() == 1);
  std::size_t pools = 0;
  for (auto const& config : configurations()) {
    for (auto const& pool : config.pools) {
      if (pool.service.output != OutputKind::dns) continue;
      ++pools;
      CHECK(holds(blocks[0], "=unix:path=" + config.outputs.dns.socket + ","));
      CHECK(pool.host == "web.lb.example.org");  // as the document says it
    }
  }
  CHECK(pools == 1);
}

TEST_CASE("outputs document: keepalived's side is that of the service") {
  auto const blocks = fenced_blocks(document(), "keepalived");
  REQUIRE(blocks.size() == 1);
  std::size_t files = 0;
  for (auto const& config : configurations()) {
    for (auto const& service : config.services.value_or(std::vector<ServiceConfig>{})) {
      for (auto const& [key, base] : service.bases) {
        ++files;
        CHECK(holds(blocks[0], "file \"" + service.folder + "/" + track_file_name(key) + "\"\n"));
      }
    }
  }
  CHECK(files == 2);
}
