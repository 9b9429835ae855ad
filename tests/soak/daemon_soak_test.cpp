// Reloads, many of them: the daemon's, with keys, recording and a changing configuration, and the
// agent's. No descriptor and no memory stays behind.

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "growth.hpp"
#include "ipvs/fake_table.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "realserver-agent/responder/listeners.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::monitord::testing::address;
using lvs::monitord::testing::service;

namespace {

constexpr int plain = 2;
const Overrides quiet{false, "off", {}};

/// Of three reloads in a row one finds a bad file, one a recording and one neither.
std::string config_text(const lvs::testing::ScratchFolder& folder, int reload) {
  auto text = "agent: {keys: " + folder.file("keys.yaml") +
              "}\nstate: {file: " + folder.file("state") +
              "}\ncontrol: {socket: " + folder.file("control.sock") + "}\nlog: {level: error}\n";
  if (reload % 3 == 0) text += "hold_pols: 3\n";
  if (reload % 3 == 1) text += "record: {file: " + folder.file("record.jsonl") + "}\n";
  return text + "hold_polls: " + std::to_string(3 + reload % 5) + "\n";
}

struct Host {
  lvs::testing::ScratchFolder folder{};
  ipvs::FakeTable table{{service("tcp 10.9.9.9:80", "wrr", {{"127.0.0.1:80", 10}})}};
  StateJournal journal{folder.file("state")};
  Moment now{1000s};
  std::uint64_t nonce{};
  boost::asio::io_context io{};
  std::optional<Daemon> daemon{};
  std::ptrdiff_t descriptors{};  ///< of a daemon that was never reloaded
  int refused{};

  Host() {
    set_up_log("off");
    auto const keys =
        folder.write("keys.yaml", "keys:\n  - id: 1\n    master: " + std::string(64, 'a') + "\n");
    REQUIRE(::chmod(keys.c_str(), 0600) == 0);
    auto const file = folder.write("monitord.yaml", config_text(folder, plain));
    daemon.emplace(
        io, Daemon::Source{file, quiet, "1.2.3"}, read_configuration(file, quiet).value(),
        Daemon::Parts{table, journal, nullptr, [this] { return now; }, [this] { return ++nonce; }},
        journal.open().value());
    descriptors = lvs::testing::open_descriptors();
  }

  void reload(int number) {
    folder.write("monitord.yaml", config_text(folder, number));
    daemon->answer({ControlCommand::reload, {}, {}}, [this](const ControlServer::Answer& answer) {
      if (answer->find("\"ok\":false") != std::string::npos) ++refused;
    });
    // A minute, so that the hour that is kept is full early.
    daemon->cycle(now += 1min);
    io.poll();
    table.written.clear();
  }

  /// Without a recording again; the thread that wrote the last one ends by itself.
  bool settles() {
    reload(plain);
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (lvs::testing::open_descriptors() != descriptors) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(10ms);
    }
    return true;
  }
};

}  // namespace

TEST_CASE("soak: reloads of the daemon leave neither descriptors nor memory behind") {
  Host host;
  auto const reloads = lvs::testing::soak_cycles() / 10;
  for (int reload = 1; reload <= reloads / 10; ++reload)
    host.reload(reload);
  REQUIRE(host.settles());
  auto const early = lvs::testing::allocated_bytes();
  for (int reload = reloads / 10 + 1; reload <= reloads; ++reload)
    host.reload(reload);
  CHECK(host.settles());
  auto const late = lvs::testing::allocated_bytes();
  INFO(early << " bytes after a tenth, " << late << " at the end");
  CHECK(late <= early + lvs::testing::room);
  CHECK(host.refused == reloads / 3);
  CHECK(host.daemon->last_report().cycle == static_cast<std::uint64_t>(reloads) + 2);
}

TEST_CASE("soak: an agent that changes its addresses and keys leaves no descriptor behind") {
  agent::Listeners listeners;
  agent::Responder responder{agent::Config{}, {}};
  auto const before = lvs::testing::open_descriptors();
  auto const changes = lvs::testing::soak_cycles() / 10;
  std::size_t early = 0;
  for (int change = 1; change <= changes; ++change) {
    // Ports that the kernel does not give away by itself, on addresses that only this test uses.
    auto const port = static_cast<std::uint16_t>(20'000 + change % 7);
    REQUIRE(listeners.set({address("127.77.0.1"), address("127.77.0.2")}, port));
    CHECK(lvs::testing::open_descriptors() == before + 2);
    responder.reconfigure(agent::Config{.rate_limit = 5},
                          {{static_cast<std::uint32_t>(change), agentproto::Key{1}}});
    if (change == changes / 10) early = lvs::testing::allocated_bytes();
  }
  CHECK(lvs::testing::allocated_bytes() <= early + lvs::testing::room);
}
