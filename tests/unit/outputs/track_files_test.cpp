#include "monitord/outputs/track_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "monitord/outputs/track_file.hpp"
#include "pools.hpp"
#include "support/catch.hpp"
#include "support/disk_full.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using lvs::testing::ScratchFolder;

namespace {

const auto vip = service_key("tcp 10.9.9.9:80");
const auto web1 = destination_key("10.0.0.11:80");
const auto web2 = destination_key("[fd00::12]:80");

OutputServer server(const ipvs::DestinationKey& key, std::uint32_t weight) {
  return {key, ipvs::string_from_destination_key(key), 10, weight};
}

struct Fixture {
  ScratchFolder folder{};
  TrackFiles files{};

  void declare(bool acts = true) {
    files.declare({{vip, folder.path(), {server(web1, 10), server(web2, 10)}}}, acts, 0s);
  }
  Output::Result write(const ipvs::DestinationKey& key, std::uint32_t weight) {
    auto const one = server(key, weight);
    return files.apply(vip, {&one, 1}).at(0);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& entry : std::filesystem::directory_iterator(folder.path()))
      all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
  [[nodiscard]] struct stat info(const std::string& name) const {
    struct stat found {};
    REQUIRE(::stat(folder.file(name).c_str(), &found) == 0);
    return found;
  }
};

}  // namespace

TEST_CASE("track file: what keepalived would take for an unsaid 0") {
  CHECK(is_unsaid(""));
  CHECK(is_unsaid(" \t\r\n"));
  CHECK_FALSE(is_unsaid("0\n"));
  CHECK_FALSE(is_unsaid("x"));
}

TEST_CASE("track file: decimal, and never octal") {
  CHECK(track_file_text(0) == "0\n");
  CHECK(track_file_text(65535) == "65535\n");
  CHECK(track_file_name(web2) == "[fd00::12]:80");
}

TEST_CASE("track files: a folder that is not there is one clear line, and is not made") {
  Fixture host;
  auto const missing = host.folder.file("away");
  host.files.declare({{vip, missing, {server(web1, 10), server(web2, 10)}}}, true, 0s);
  auto const notes = host.files.notes(0s);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("tcp 10.9.9.9:80: the folder " + missing));
  auto const failed = host.write(web1, 5);
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message.find("is not there: make it") != std::string::npos);
  CHECK_FALSE(failed.error().perhaps_done);
  CHECK_FALSE(std::filesystem::exists(missing));

  std::filesystem::create_directory(missing);
  CHECK(host.write(web1, 5).has_value());
  CHECK(host.files.notes(0s).empty());
}

TEST_CASE("track files: a folder that monitord may not write to is named with its reason") {
  Fixture host;
  std::filesystem::permissions(host.folder.path(), std::filesystem::perms(0555));
  lvs::testing::WithoutRoot const somebody;
  host.declare();
  REQUIRE(host.files.notes(0s).size() == 1);
  CHECK(host.files.notes(0s)[0].find("Permission denied") != std::string::npos);
  CHECK_FALSE(host.write(web1, 5).has_value());
}

TEST_CASE("track files: a service of nobody's is refused") {
  Fixture host;
  CHECK(host.write(web1, 5).error().kind == ipvs::ErrorKind::no_such_service);
}

TEST_CASE("track files: a full disk leaves the file as it was") {
  Fixture host;
  host.declare();
  REQUIRE(host.write(web1, 7).has_value());
  {
    lvs::testing::DiskFull const full(0);
    CHECK_FALSE(host.write(web1, 8).has_value());
  }
  CHECK(host.folder.read("10.0.0.11:80") == "7\n");
  CHECK(host.names() == std::vector<std::string>{"10.0.0.11:80", "[fd00::12]:80"});
}

TEST_CASE("track files: what is missing or says nothing is made with the base") {
  Fixture host;
  host.folder.write("[fd00::12]:80", "");
  host.declare();
  CHECK(host.folder.read("10.0.0.11:80") == "10\n");
  CHECK(host.folder.read("[fd00::12]:80") == "10\n");
}

TEST_CASE("track files: what says something stays, a 0 above all") {
  Fixture host;
  host.folder.write("10.0.0.11:80", "0\n");
  host.folder.write("[fd00::12]:80", "33");
  host.declare();
  CHECK(host.folder.read("10.0.0.11:80") == "0\n");
  CHECK(host.folder.read("[fd00::12]:80") == "33");
}

TEST_CASE("track files: a dry run makes none") {
  Fixture host;
  host.declare(false);
  CHECK(host.names().empty());
}

TEST_CASE("track files: a weight replaces the file at once, for everybody to read") {
  Fixture host;
  host.declare();
  auto const before = host.info("10.0.0.11:80");
  auto const mask = ::umask(0077);
  REQUIRE(host.write(web1, 40).has_value());
  ::umask(mask);
  auto const after = host.info("10.0.0.11:80");
  CHECK(host.folder.read("10.0.0.11:80") == "40\n");
  CHECK(after.st_ino != before.st_ino);  // a rename: no reader sees half of a number
  CHECK((after.st_mode & 07777U) == 0644U);
  CHECK(host.names() == std::vector<std::string>{"10.0.0.11:80", "[fd00::12]:80"});
}

TEST_CASE("track files: the weight that is there is not written again") {
  Fixture host;
  host.declare();
  REQUIRE(host.write(web1, 40).has_value());
  auto const before = host.info("10.0.0.11:80");
  REQUIRE(host.write(web1, 40).has_value());
  CHECK(host.info("10.0.0.11:80").st_ino == before.st_ino);
  host.folder.write("10.0.0.11:80", "41\n");  // somebody else
  REQUIRE(host.write(web1, 40).has_value());
  CHECK(host.folder.read("10.0.0.11:80") == "40\n");
}

TEST_CASE("track files: a link in the place of the new file is not followed") {
  Fixture host;
  host.declare();
  auto const victim = host.folder.write("victim", "precious");
  std::filesystem::create_symlink(victim, host.folder.file(".10.0.0.11:80.new"));
  CHECK_FALSE(host.write(web1, 40).has_value());
  CHECK(host.folder.read("victim") == "precious");
}
