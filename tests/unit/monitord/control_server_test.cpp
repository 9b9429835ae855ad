#include "monitord/control_server.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plainfile/file_descriptor.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs::monitord;
using lvs::FileDescriptor;
using lvs::testing::ScratchFolder;

namespace {

FileDescriptor connected(const std::string& path) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  auto const* const any = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  REQUIRE(::connect(socket.get(), any, sizeof(address)) == 0);
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  return socket;
}

void say(const FileDescriptor& socket, const std::string& text) {
  REQUIRE(::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

struct Fixture {
  ScratchFolder folder{};
  boost::asio::io_context io{};
  std::vector<ControlCommand> commands{};
  std::string document = R"({"ok":true})";
  ControlServer server{
      io, [this](const ControlRequest& request, const ControlServer::Respond& respond) {
        commands.push_back(request.command);
        respond(std::make_shared<const std::string>(document + "\n"));
      }};
  std::string path = folder.file("control.sock");

  /// Runs the server until the client has seen the end of the answer.
  std::string answer_to(const FileDescriptor& client) {
    std::string text;
    std::array<char, 4096> block{};
    while (true) {
      io.poll();
      auto const got = ::recv(client.get(), block.data(), block.size(), 0);
      if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EAGAIN)) return text;
      // Something must come: else there is nothing left to run, and the test hangs in vain.
      if (got < 0) io.run_one_for(std::chrono::seconds(30));
    }
  }
};

}  // namespace

TEST_CASE("control server: a command is answered and the connection closed") {
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  auto const client = connected(control.path);
  say(client, "{\"command\":\"status\"}\n");
  CHECK(control.answer_to(client) == "{\"ok\":true}\n");
  CHECK(control.commands == std::vector{ControlCommand::status});
}

TEST_CASE("control server: a request without its newline counts when the client has said all") {
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  auto const client = connected(control.path);
  say(client, "{\"command\":\"version\"}");
  ::shutdown(client.get(), SHUT_WR);
  CHECK(control.answer_to(client) == "{\"ok\":true}\n");
  CHECK(control.commands == std::vector{ControlCommand::version});
}

TEST_CASE("control server: a bad or endless request is refused") {
  auto const request = GENERATE(as<std::string>{}, "what\n", "{}\n", "\n", std::string(8192, 'x'));
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  auto const client = connected(control.path);
  say(client, request);
  auto const answer = control.answer_to(client);
  CHECK(answer.substr(0, 12) == "{\"ok\":false,");
  CHECK(control.commands.empty());
}

TEST_CASE("control server: the state of a large director is taken in one request") {
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  auto const client = connected(control.path);
  auto const request =
      R"({"command":"state_import","journal":")" + std::string(100'000, 'x') + "\"}\n";
  for (std::string_view rest(request); !rest.empty(); control.io.poll()) {
    auto const sent = ::send(client.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  CHECK(control.answer_to(client) == "{\"ok\":true}\n");
  CHECK(control.commands == std::vector{ControlCommand::state_import});
}

TEST_CASE("control server: clients that stay silent or do not read stop nobody") {
  Fixture control;
  control.document = std::string(8 * 1024 * 1024, 'x');
  REQUIRE(control.server.open(control.path).has_value());
  auto const mute = connected(control.path);
  auto const lazy = connected(control.path);
  say(lazy, "{\"command\":\"status\"}\n");
  control.io.poll();
  auto const client = connected(control.path);
  say(client, "{\"command\":\"status\"}\n");
  CHECK(control.answer_to(client).size() == control.document.size() + 1);
}

TEST_CASE("control server: the number of clients at a time is bounded") {
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  std::vector<FileDescriptor> mute;
  for (int i = 0; i < 40; ++i)
    mute.push_back(connected(control.path));
  for (int i = 0; i < 200; ++i)
    control.io.poll();
  for (auto const& client : mute)
    say(client, "{\"command\":\"status\"}\n");
  for (int i = 0; i < 200; ++i)
    control.io.poll();
  CHECK(control.commands.size() == 32);
  // The others were waiting in the queue: with places free they are served.
  CHECK(control.answer_to(mute.back()) == "{\"ok\":true}\n");
}

TEST_CASE("control server: who may only look cannot keep out who has to act") {
  if (::geteuid() != 0) return;  // there is nobody else to be
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  REQUIRE(::chmod(control.path.c_str(), 0666) == 0);
  REQUIRE(::chmod(control.folder.file("").c_str(), 0755) == 0);
  std::vector<FileDescriptor> mute;
  for (uid_t const user : {65531U, 65532U, 65533U, 65534U}) {
    lvs::testing::WithoutRoot const stepped_down(user);
    for (int i = 0; i < 10; ++i)
      mute.push_back(connected(control.path));
  }
  for (int i = 0; i < 200; ++i)
    control.io.poll();
  // The ninth of the first, and every one of the fourth.
  for (auto const* client : {&mute[8], &mute[30], &mute[39]}) {
    auto const answer = control.answer_to(*client);
    CHECK(answer.substr(0, 12) == "{\"ok\":false,");
    CHECK(answer.find("too many visits of this user") != std::string::npos);
  }
  for (int i = 0; i < 8; ++i) {
    auto const client = connected(control.path);
    say(client, "{\"command\":\"pause\"}\n");
    CHECK(control.answer_to(client) == "{\"ok\":true}\n");
  }
  CHECK(control.commands.size() == 8);
  // Those who were admitted are served as ever.
  say(mute[7], "{\"command\":\"status\"}\n");
  CHECK(control.answer_to(mute[7]) == "{\"ok\":true}\n");
}

TEST_CASE("control server: who is turned away has the reason, asked or not") {
  if (::geteuid() != 0) return;  // there is nobody else to be
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  REQUIRE(::chmod(control.path.c_str(), 0666) == 0);
  REQUIRE(::chmod(control.folder.file("").c_str(), 0755) == 0);
  lvs::testing::WithoutRoot const stepped_down;
  std::vector<FileDescriptor> mute;
  for (int i = 0; i < 9; ++i)
    mute.push_back(connected(control.path));
  say(mute[8], "{\"command\":\"status\"}\n");
  CHECK(control.answer_to(mute[8]).find("too many visits") != std::string::npos);
  CHECK(control.commands.empty());
}

TEST_CASE("control server: the file has mode 0660 and goes with the server") {
  ScratchFolder const folder;
  auto const path = folder.file("control.sock");
  boost::asio::io_context io;
  {
    ControlServer server(io, [](const ControlRequest&, const ControlServer::Respond&) {});
    REQUIRE(server.open(path).has_value());
    struct stat info {};
    REQUIRE(::lstat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 07777U) == 0660);
  }
  CHECK(::access(path.c_str(), F_OK) != 0);
}

TEST_CASE("control server: only a socket file without a listener is replaced") {
  Fixture control;
  auto const handler = [](const ControlRequest&, const ControlServer::Respond&) {};

  SECTION("a listener's is left alone") {
    REQUIRE(control.server.open(control.path).has_value());
    ControlServer second(control.io, handler);
    CHECK_FALSE(second.open(control.path).has_value());
  }
  SECTION("an ordinary file is left alone") {
    control.folder.write("control.sock", "precious");
    auto const refused = control.server.open(control.path);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().find(control.path) != std::string::npos);
    CHECK(control.folder.read("control.sock") == "precious");
  }
  SECTION("a killed server's is replaced") {
    FileDescriptor dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, control.path.c_str(), control.path.size() + 1);
    auto const* const any = static_cast<const sockaddr*>(static_cast<const void*>(&address));
    REQUIRE(::bind(dead.get(), any, sizeof(address)) == 0);
    dead = FileDescriptor();
    CHECK(control.server.open(control.path).has_value());
  }
  SECTION("a path that does not fit is an error") {
    CHECK_FALSE(control.server.open(std::string(200, 'x')).has_value());
    CHECK_FALSE(control.server.open("").has_value());
    CHECK_FALSE(control.server.open(control.folder.file("not/control.sock")).has_value());
  }
}

TEST_CASE("control server: who is neither root nor the daemon's user may look and change nothing") {
  auto const [request, may] = GENERATE(table<std::string, bool>({
      {"{\"command\":\"status\"}\n", true},
      {"{\"command\":\"version\"}\n", true},
      {"{\"command\":\"state_export\"}\n", true},
      {"{\"command\":\"reload\"}\n", false},
      {"{\"command\":\"pause\"}\n", false},
      {"{\"command\":\"state_import\",\"journal\":\"\"}\n", false},
  }));
  Fixture control;
  REQUIRE(control.server.open(control.path).has_value());
  FileDescriptor client;
  {
    REQUIRE(::chmod(control.path.c_str(), 0666) == 0);
    REQUIRE(::chmod(control.folder.file("").c_str(), 0755) == 0);
    lvs::testing::WithoutRoot const stepped_down;
    client = connected(control.path);
  }
  say(client, request);
  auto const answer = control.answer_to(client);
  bool const allowed = may || ::geteuid() != 0;  // without root nobody else is there to ask
  CHECK((answer == "{\"ok\":true}\n") == allowed);
  CHECK(control.commands.empty() == !allowed);
  if (!allowed) CHECK(answer.find("only root and monitord's own user may") != std::string::npos);
}
