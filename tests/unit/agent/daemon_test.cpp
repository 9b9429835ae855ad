// The built program as a service: starts, answers, reloads, ends. Every wait is for something that
// the program says (sd_notify(3)) or sends, with a limit that only a broken one reaches.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "ipvs/types.hpp"
#include "realserver-agent/responder/udp_socket.hpp"
#include "support/catch.hpp"
#include "support/process_status.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::agent;
namespace agentproto = lvs::agentproto;

namespace {

constexpr timeval limit{.tv_sec = 30, .tv_usec = 0};

std::string free_port() {
  const auto loopback = lvs::ipvs::ip_address_from_string("127.0.0.1").value();
  return std::to_string(UdpSocket::bind(loopback, 0)->port());
}

/// Where sd_notify() of the program arrives.
class NotifySocket {
 public:
  explicit NotifySocket(std::string path)
      : path_{std::move(path)}, fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path_.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
  }
  ~NotifySocket() { ::close(fd_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool wait_for(std::string_view what) const {
    std::array<char, 4096> buffer{};
    while (true) {
      const ssize_t size = ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (size <= 0) return false;
      const std::string_view text{buffer.data(), static_cast<std::size_t>(size)};
      if (text.find(what) != std::string_view::npos) return true;
    }
  }

 private:
  std::string path_;
  int fd_;
};

class Program {
 public:
  Program(const std::vector<std::string>& arguments, const std::string& notify_path)
      : pid_{::fork()} {
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    ::setenv("NOTIFY_SOCKET", notify_path.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(LVS_REALSERVER_AGENT)};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(LVS_REALSERVER_AGENT, argv.data());
    ::_exit(127);
  }
  ~Program() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const { REQUIRE(::kill(pid_, number) == 0); }
  /// Exit code; negative: killed by a signal.
  int wait() {
    int status = 0;
    REQUIRE(::waitpid(pid_, &status, 0) == pid_);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

std::optional<agentproto::Reply> ask(const std::string& port, const agentproto::MacKey& key) {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  REQUIRE(::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto request = agentproto::encode_request({.key_id = 1, .nonce = 42}, key);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  REQUIRE(::send(fd, request.data(), request.size(), 0) == 512);
  std::array<std::uint8_t, 1024> buffer{};
  const ssize_t size = ::recv(fd, buffer.data(), buffer.size(), 0);
  ::close(fd);
  if (size < 0) return std::nullopt;
  const auto reply =
      agentproto::decode_reply(agentproto::Bytes{buffer}.first(static_cast<std::size_t>(size)), key,
                               agentproto::hash_of_name("127.0.0.1"));
  return reply ? std::optional{*reply} : std::nullopt;
}

int exit_code_of(const std::vector<std::string>& arguments) {
  return Program{arguments, ""}.wait();
}

}  // namespace

TEST_CASE("program: it answers and reloads and ends when asked to") {
  const lvs::testing::ScratchFolder tree;
  const NotifySocket notify{tree.file("notify")};
  const agentproto::Key secret{0xAA, 1};
  const std::string keys = tree.write(
      "keys.yaml", "keys:\n  - {id: 1, key: " + agentproto::hex_from_key(secret) + "}\n");
  REQUIRE(::chmod(keys.c_str(), 0600) == 0);
  const std::string port = free_port();
  const std::string common = "listen: [127.0.0.1]\nkeys: " + keys + "\ndrain_file: \"\"\n";
  const std::string config = tree.write("agent.yaml", common + "port: " + port + "\n");

  Program program{{"--config", config}, notify.path()};
  REQUIRE(notify.wait_for("READY=1"));
  const agentproto::MacKey key{secret};
  const auto reply = ask(port, key);
  REQUIRE(reply.has_value());
  CHECK(reply->nonce == 42);
  CHECK(reply->sample.boottime_ns > 0);
  CHECK(notify.wait_for("WATCHDOG=1"));

  tree.write("agent.yaml", common + "prot: 1\n");
  program.signal(SIGHUP);
  REQUIRE(notify.wait_for("RELOADING=1"));
  REQUIRE(notify.wait_for("READY=1"));
  CHECK(ask(port, key).has_value());

  const std::string other_port = free_port();
  tree.write("agent.yaml", common + "port: " + other_port + "\n");
  program.signal(SIGHUP);
  REQUIRE(notify.wait_for("RELOADING=1"));
  REQUIRE(notify.wait_for("READY=1"));
  CHECK(ask(other_port, key).has_value());

  program.signal(SIGTERM);
  CHECK(notify.wait_for("STOPPING=1"));
  CHECK(program.wait() == 0);
}

TEST_CASE("program: it serves without any right whoever started it") {
  const lvs::testing::ScratchFolder tree;
  const NotifySocket notify{tree.file("notify")};
  const agentproto::Key secret{0xAA, 1};
  const std::string keys = tree.write(
      "keys.yaml", "keys:\n  - {id: 1, key: " + agentproto::hex_from_key(secret) + "}\n");
  REQUIRE(::chmod(keys.c_str(), 0600) == 0);
  const std::string port = free_port();
  const std::string config =
      tree.write("agent.yaml", "listen: [127.0.0.1]\nport: " + port + "\nkeys: " + keys + "\n");
  const Program program{{"--config", config}, notify.path()};
  REQUIRE(notify.wait_for("READY=1"));
  for (const auto& status : lvs::testing::statuses_of_threads(program.pid())) {
    for (const auto* const set : {"CapPrm", "CapEff", "CapInh", "CapAmb"})
      CHECK(status.at(set) == "0000000000000000");
    // Narrowing this one takes a right in the first place.
    if (::geteuid() == 0) CHECK(status.at("CapBnd") == "0000000000000000");
    CHECK(status.at("NoNewPrivs") == "1");
  }
  REQUIRE(ask(port, agentproto::MacKey{secret}).has_value());
  program.signal(SIGHUP);  // its own files are still its own
  REQUIRE(notify.wait_for("RELOADING=1"));
  REQUIRE(notify.wait_for("READY=1"));
  CHECK(ask(port, agentproto::MacKey{secret}).has_value());
}

TEST_CASE("program: drain and ready change what the running agent asks for") {
  const lvs::testing::ScratchFolder tree;
  const NotifySocket notify{tree.file("notify")};
  const agentproto::Key secret{0xAA, 1};
  const std::string keys = tree.write(
      "keys.yaml", "keys:\n  - {id: 1, key: " + agentproto::hex_from_key(secret) + "}\n");
  REQUIRE(::chmod(keys.c_str(), 0600) == 0);
  const std::string port = free_port();
  const std::string config = tree.write(
      "agent.yaml", "listen: [127.0.0.1]\nsample_interval: 500ms\nport: " + port +
                        "\nkeys: " + keys + "\ndrain_file: " + tree.file("drain") + "\n");
  const Program program{{"--config", config}, notify.path()};
  REQUIRE(notify.wait_for("READY=1"));
  const agentproto::MacKey key{secret};
  const auto asks_for_drain = [&](bool wanted) {
    for (int sample = 0; sample < 100; ++sample) {
      const auto reply = ask(port, key);
      if (reply && reply->sample.draining == wanted) return true;
      if (!notify.wait_for("WATCHDOG=1")) return false;  // the next sample
    }
    return false;
  };
  CHECK(asks_for_drain(false));
  CHECK(exit_code_of({"drain", "--config", config}) == 0);
  CHECK(asks_for_drain(true));
  CHECK(exit_code_of({"-c", config, "drain"}) == 0);
  CHECK(exit_code_of({"ready", "-c", config}) == 0);
  CHECK(asks_for_drain(false));
  CHECK(exit_code_of({"ready", "-c", config}) == 0);
}

TEST_CASE("program: exit codes tell usage from configuration from failure") {
  const lvs::testing::ScratchFolder tree;
  const std::string bad = tree.write("bad.yaml", "prot: 1\n");
  const std::string good =
      tree.write("good.yaml", "keys: " + tree.file("keys.yaml") + "\nlisten: [127.0.0.1]\n");
  CHECK(exit_code_of({"--version"}) == 0);
  CHECK(exit_code_of({"--help"}) == 0);
  CHECK(exit_code_of({"--no-such-option"}) == 2);
  CHECK(exit_code_of({"surplus"}) == 2);
  CHECK(exit_code_of({"reading", "--before", tree.path()}) == 2);
  CHECK(exit_code_of({"reading", "--interval", "5"}) == 2);
  CHECK(exit_code_of({"reading", "--before", tree.path(), "--after", tree.path()}) == 1);
  CHECK(exit_code_of({"reading", "--root", tree.path()}) == 1);
  CHECK(exit_code_of({"--root", tree.path(), "reading"}) == 1);
  CHECK(exit_code_of({"reading", "--interval", "-5s"}) == 2);
  CHECK(exit_code_of({"-c", ""}) == 2);
  CHECK(exit_code_of({"drain", "surplus"}) == 2);
  CHECK(exit_code_of({"drain", "ready"}) == 2);
  CHECK(exit_code_of({"drain", "-c", bad}) == 78);
  CHECK(exit_code_of({"ready", "-c", tree.file("none.yaml")}) == 78);
  const std::string never = tree.write("never.yaml", "drain_file: \"\"\n");
  CHECK(exit_code_of({"drain", "-c", never}) == 1);
  const std::string nowhere = tree.write("nowhere.yaml", "drain_file: /no/such/folder/drain\n");
  CHECK(exit_code_of({"drain", "-c", nowhere}) == 1);
  CHECK(exit_code_of({"drain", "-c", nowhere, "--root", tree.path()}) == 1);
  CHECK(exit_code_of({"-t", "-c", bad}) == 78);
  CHECK(exit_code_of({"--check-config", "--config", tree.file("none.yaml")}) == 78);
  CHECK(exit_code_of({"--check-config", "--config", good}) == 0);
  CHECK(exit_code_of({"-t", "-c", LVS_SOURCE_DIR "/etc/realserver-agent.yaml"}) == 0);
  CHECK(exit_code_of({"-t", "-q", "-c", good}) == 0);
  CHECK(exit_code_of({"-t", "-q", "-c", bad}) == 78);
  const std::string open = tree.write("keys.yaml", "keys: []\n");
  REQUIRE(::chmod(open.c_str(), 0644) == 0);
  CHECK(exit_code_of({"-t", "-c", good}) == 78);
  REQUIRE(::unlink(open.c_str()) == 0);
  CHECK(exit_code_of({"--log-level", "loud"}) == 2);
  CHECK(exit_code_of({"--log-format", "xml"}) == 2);
  CHECK(exit_code_of({"--config", bad}) == 78);
  CHECK(exit_code_of({"--config", good}) == 78);
}
