#include "monitorctl/file_output.hpp"

#include <sys/stat.h>
#include <filesystem>
#include <string>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::text_of;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

std::size_t files_beside(const std::string& path) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(path).parent_path())) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("file output: a file in a missing directory is an error") {
  const ScratchFolder directory;
  const auto path = directory.file("no/keys.yaml");
  CHECK(write_file({.path = path}, "x").error() ==
        path + ": No such file or directory\nhint: mkdir -p " + directory.file("no"));
}

TEST_CASE("file output: a file that is there is left alone") {
  const ScratchFolder directory;
  const auto path = directory.file("keys.yaml");
  write_text(path, "old");
  const auto written = write_file({.path = path}, "new");
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().find("exists; --force replaces it") != std::string::npos);
  CHECK(text_of(path) == "old");
  CHECK(files_beside(path) == 1);
}

TEST_CASE("file output: a new file has its mode whatever the umask and leaves nothing beside it") {
  const ScratchFolder directory;
  const auto path = directory.file("keys.yaml");
  const auto before = ::umask(0);
  const auto written = write_file({.path = path, .mode = 0640}, "text");
  ::umask(before);
  REQUIRE(written.has_value());
  CHECK(text_of(path) == "text");
  CHECK(mode_of(path) == 0640);
  CHECK(files_beside(path) == 1);
}

TEST_CASE("file output: with force the old file is replaced and its mode with it") {
  const ScratchFolder directory;
  const auto path = directory.file("keys.yaml");
  write_text(path, "old");
  REQUIRE(write_file({.path = path, .mode = 0600, .replace = true}, "new").has_value());
  CHECK(text_of(path) == "new");
  CHECK(mode_of(path) == 0600);
  CHECK(files_beside(path) == 1);
}

TEST_CASE("file output: a group that does not exist is no failure, but said") {
  const ScratchFolder directory;
  const auto path = directory.file("keys.yaml");
  const auto written = write_file({.path = path, .group = "no-such-group-here"}, "x");
  REQUIRE(written.has_value());
  CHECK(*written ==
        "there is no group no-such-group-here, which has to read the file: systemd-sysusers; "
        "then: chown root:no-such-group-here " +
            path);
  CHECK(write_file({.path = directory.file("other")}, "x").value().empty());
}
