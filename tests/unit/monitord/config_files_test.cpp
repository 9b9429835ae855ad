// Which files make a configuration.

#include "monitord/config_files.hpp"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "monitord/config_yaml.hpp"
#include "monitord/configuration.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs::monitord;
using lvs::testing::ScratchFolder;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> names_in(const ScratchFolder& folder) {
  std::vector<std::string> names;
  for (const auto& file : files_of_config(folder.file("monitord.yaml")).files)
    names.push_back(std::filesystem::path(file.name).filename());
  return names;
}

struct Site {
  ScratchFolder folder{};
  Site() { main("interval: 2s\n"); }
  void main(const std::string& text) const {
    folder.write("monitord.yaml", "agent: {keys: " + folder.file("keys.yaml") + "}\n" + text);
  }
  [[nodiscard]] tl::expected<Configuration, std::string> read() const {
    return read_configuration(folder.file("monitord.yaml"), {});
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("config files: the main one alone where there is no folder") {
  const Site site;
  CHECK(names_in(site.folder) == Names{"monitord.yaml"});
  CHECK(site.read().has_value());
  std::filesystem::create_directory(site.folder.file("conf.d"));
  CHECK(names_in(site.folder) == Names{"monitord.yaml"});
}

TEST_CASE("config files: parts in the order of the bytes of their names") {
  const Site site;
  for (const auto* const name :
       {"b.yaml", "B.yaml", "10-a.yaml", "9-a.yaml", "a.yaml", "\xc3\xa4.yaml"})
    site.folder.write(std::string("conf.d/") + name, "");
  CHECK(names_in(site.folder) == Names{"monitord.yaml", "10-a.yaml", "9-a.yaml", "B.yaml", "a.yaml",
                                       "b.yaml", "\xc3\xa4.yaml"});
}

TEST_CASE("config files: what editors and dpkg leave behind is no part") {
  const Site site;
  for (const auto* const name :
       {".10-web.yaml.swp", "10-web.yaml~", "#10-web.yaml#", ".hidden.yaml", "10-web.yaml.dpkg-new",
        "10-web.yaml.dpkg-old", "10-web.yaml.dpkg-dist", "10-web.yaml.bak", "10-web.yaml.rpmnew",
        "README", "10-web.yamlx", "10-web.YAML", "yaml"}) {
    site.folder.write(std::string("conf.d/") + name, "no key of ours: [\n");
  }
  // Emacs locks a file by a symbolic link that leads nowhere.
  std::filesystem::create_symlink("me@host.1", site.folder.file("conf.d/.#10-web.yaml"));
  CHECK(names_in(site.folder) == Names{"monitord.yaml"});
  const auto read = site.read();
  REQUIRE(read.has_value());
  CHECK(read->notes.size() == 1);  // no keys
}

TEST_CASE("config files: a name that ends in .yml is told of") {
  const Site site;
  site.folder.write("conf.d/10-web.yml", "interval: 4s\n");
  const auto read = site.read();
  REQUIRE(read.has_value());
  CHECK(holds(read->notes.at(0), "conf.d/10-web.yml is not read"));
}

TEST_CASE("config files: a part that cannot be read is a problem beside those of all others") {
  const Site site;
  site.main("intervall: 2s\n");
  const auto part = site.folder.file("conf.d/20.yaml");
  SECTION("a symbolic link that leads nowhere") {
    site.folder.write("conf.d/10.yaml", "hold_polls: x\n");
    std::filesystem::create_symlink("nowhere", part);
    CHECK(holds(site.read().error(), part + ": error: No such file or directory\n"));
  }
  SECTION("a pipe that nobody waits for") {
    site.folder.write("conf.d/10.yaml", "hold_polls: x\n");
    REQUIRE(::mkfifo(part.c_str(), 0600) == 0);
    CHECK(holds(site.read().error(), part + ": error: is a pipe, not a file\n"));
  }
  SECTION("a folder") {
    site.folder.write("conf.d/10.yaml", "hold_polls: x\n");
    std::filesystem::create_directory(part);
    CHECK(holds(site.read().error(), part + ": error: is a directory, not a file\n"));
  }
  const auto refused = site.read().error();
  CHECK(holds(refused, "monitord.yaml:2:1: error: unknown key \"intervall\""));
  CHECK(holds(refused, "did you mean \"interval\"?"));
  CHECK(holds(refused, "conf.d/10.yaml:1:13: error: hold_polls: \"x\" is no whole number"));
  CHECK(holds(refused, "2 errors in 2 files"));
}

TEST_CASE("config files: a folder that cannot be read is a problem") {
  const Site site;
  const auto folder = site.folder.file("conf.d");
  SECTION("it is a file") {
    site.folder.write("conf.d", "");
    CHECK(holds(site.read().error(), folder + ": error: cannot be read: Not a directory\n"));
  }
  SECTION("it is somebody else's") {
    site.folder.write("conf.d/10.yaml", "hold_polls: 4\n");
    using std::filesystem::perms;
    std::filesystem::permissions(folder, perms::none);
    std::filesystem::permissions(site.folder.file(""),
                                 perms::owner_all | perms::group_exec | perms::others_exec);
    const lvs::testing::WithoutRoot stepped_down;
    CHECK(holds(files_of_config(site.folder.file("monitord.yaml")).failures,
                folder + ": error: cannot be read: Permission denied\n"));
  }
}

TEST_CASE("config files: size and number are bounded") {
  const Site site;
  const std::string comment = "#" + std::string(3 * 1024 * 1024, 'x') + "\n";
  for (const auto* const name : {"1", "2", "3", "4", "5"})
    site.folder.write(std::string("conf.d/") + name + ".yaml", comment);
  const auto failures = [&site] {
    return files_of_config(site.folder.file("monitord.yaml")).failures;
  };
  CHECK(failures().empty());
  site.folder.write("conf.d/6.yaml", comment);
  CHECK(
      holds(failures(), "conf.d/6.yaml: error: with it the configuration is larger than 16 MiB\n"));
  const Site crowd;
  for (int number = 0; number < 1001; ++number)
    crowd.folder.write("conf.d/" + std::to_string(number) + ".yaml", "");
  CHECK(holds(crowd.read().error(), "conf.d: error: holds more than 1000 files\n"));
}

TEST_CASE("config files: lists of services are joined and everything else is overridden") {
  const Site site;
  site.main(
      "interval: 4s\ndefaults: {boundary: 3, weights: {min: 2, max: 50}}\n"
      "services: [{service: fwm:1}]\nhttp: {hosts: [a]}\n"
      "servers: {10.0.0.11: {name: web1, base: 5}}\n");
  site.folder.write("conf.d/10.yaml",
                    "interval: 1m\ndefaults: {weights: {max: 60}}\nservices: [{service: fwm:2, "
                    "boundary: 7}]\nhttp: {hosts: [b]}\nservers: {10.0.0.11: {base: 6}, "
                    "10.0.0.12: {base: 7}}\n");
  site.folder.write("conf.d/20.yaml", "interval: 8s\n");
  const auto config = site.read().value().config;
  CHECK(config.interval == std::chrono::seconds{8});
  CHECK(config.defaults.boundary.value == 3);
  CHECK(config.defaults.weights == lvs::loadcalc::WeightRange{2, 60});
  REQUIRE(config.services->size() == 2);
  CHECK(config.services->at(0).key.fwmark == 1);
  CHECK(config.services->at(0).policy.weights.max == 60);
  CHECK(config.services->at(1).policy.boundary.value == 7);
  CHECK(config.http.hosts == Names{"b"});
  REQUIRE(config.servers.size() == 2);
  CHECK(config.servers.begin()->second.name == "web1");
  CHECK(config.servers.begin()->second.base == 6U);
}

TEST_CASE("config files: a service of two files is an error that names both") {
  const Site site;
  site.main("services:\n  - service: tcp:10.9.9.9:80\n");
  site.folder.write("conf.d/10.yaml",
                    "services:\n  - service: fwm:1\n  - {service: \"tcp 10.9.9.9:80\"}\n");
  const auto refused = site.read();
  REQUIRE_FALSE(refused.has_value());
  CHECK(holds(refused.error(),
              "conf.d/10.yaml:3:15: error: services[1].service: \"tcp "
              "10.9.9.9:80\" is here for the second time"));
  CHECK(
      holds(refused.error(), "hint: it is already in " + site.folder.file("monitord.yaml") + ":3"));
}

TEST_CASE("config files: rules between settings hold over files") {
  const Site site;
  site.main("interval: 1m\nagent: {deadline: 30s}\n");
  const auto twice = site.read();
  CHECK(holds(twice.error(), "duplicate key \"agent\""));
  const Site other;
  other.main("");
  other.folder.write("conf.d/10.yaml", "agent: {deadline: 3s}\n");
  CHECK(holds(other.read().error(),
              "conf.d/10.yaml:1:19: error: agent.deadline: 3s is not below "
              "the interval of 2s"));
  other.folder.write("conf.d/20.yaml", "interval: 4s\n");
  CHECK(other.read().has_value());
}

TEST_CASE("config files: the places of a configuration are those that a reload reads") {
  const Site site;
  site.folder.write("conf.d/10.yaml", "");
  CHECK(site.read()->places == Names{site.folder.file("monitord.yaml"), site.folder.file("conf.d"),
                                     site.folder.file("conf.d/10.yaml")});
  CHECK(folder_beside("/etc/monitord/monitord.yaml") == "/etc/monitord/conf.d");
  CHECK(folder_beside("monitord.yaml") == "conf.d");
}
