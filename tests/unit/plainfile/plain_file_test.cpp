#include "plainfile/plain_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <string>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

namespace {

using lvs::plainfile::open_to_read;
using lvs::plainfile::text_from_file;
using lvs::testing::ScratchFolder;

constexpr std::size_t enough = 1 << 20;

TEST_CASE("plain file: a file is read whole, and those of /proc are files") {
  ScratchFolder const folder;
  std::string const long_text(200'000, 'x');
  folder.write("long", long_text);
  folder.write("empty", "");
  CHECK(text_from_file(folder.file("long"), enough) == long_text);
  CHECK(text_from_file(folder.file("empty"), enough) == "");
  CHECK(text_from_file("/proc/self/stat", enough).value().size() > 10);
}

TEST_CASE("plain file: the longest that is read") {
  ScratchFolder const folder;
  folder.write("text", "12345");
  CHECK(text_from_file(folder.file("text"), 5) == "12345");
  auto const longer = text_from_file(folder.file("text"), 4).error();
  CHECK(longer.error == EFBIG);
  CHECK(longer.reason == "is larger than 4 bytes");
  folder.write("text", std::string((1 << 20) + 1, 'x'));
  CHECK(text_from_file(folder.file("text"), 1 << 20).error().reason == "is larger than 1 MiB");
}

TEST_CASE("plain file: a missing one is told apart") {
  auto const missing = open_to_read("/nowhere/at/all").error();
  CHECK(missing.error == ENOENT);
  CHECK(missing.reason == "No such file or directory");
}

TEST_CASE("plain file: what waits or never ends is refused at once") {
  ScratchFolder const folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  auto const pipe = open_to_read(folder.file("pipe")).error();
  CHECK(pipe.error == ENOTSUP);
  CHECK(pipe.reason == "is a pipe, not a file");
  CHECK(open_to_read("/dev/zero").error().reason == "is a device, not a file");
  auto const directory = open_to_read("/").error();
  CHECK(directory.error == EISDIR);
  CHECK(directory.reason == "is a directory, not a file");
}

TEST_CASE("plain file: a socket is no file") {
  ScratchFolder const folder;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  auto const path = folder.file("socket");
  REQUIRE(path.copy(address.sun_path, sizeof address.sun_path - 1) == path.size());
  lvs::FileDescriptor const socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bind(2)
  auto const* name = reinterpret_cast<const sockaddr*>(&address);
  REQUIRE(::bind(socket.get(), name, sizeof address) == 0);
  CHECK(open_to_read(path).error().reason == "is a socket, not a file");
}

}  // namespace
