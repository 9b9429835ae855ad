// Laws 1, 2, 5 and 7 against kill -9: monitord is killed again and again while a load that never
// rests makes it write weights, and after each kill the kernel's table and the state file are read
// past it. A kernel of its own for each case, one monitord for each kill.
//
// LVS_KILLS=N makes it N kills in a case (run by hand with a longer lab/run --timeout).

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernel/director.hpp"
#include "kernel/folder_watch.hpp"
#include "kernel/guest.hpp"
#include "kernel/machines.hpp"
#include "kernel/process.hpp"
#include "kernel/settings.hpp"
#include "kernel/table_facts.hpp"
#include "monitord/journal_text.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;
using lvs::monitord::DestinationId;
using lvs::monitord::journal_from_text;
using lvs::monitord::JournalContent;
using Random = std::mt19937;

namespace {

constexpr auto folder = "/run/state";
std::string settings() {
  Settings settings;
  settings.interval = "200ms";
  settings.hold_polls = "100";
  settings.deadline = "150ms";
  settings.state = "/run/state/journal";
  settings.defaults =
      "strategy: headroom, min_write_interval: 0s, up_step: 1, step_cap: 100, slow_start: 0s, "
      "standby: steer";
  settings.servers = agents_on_loopback(4) + agents_on_loopback(2, "fd02::1");
  return settings_text(settings);
}

/// Everything that a write could lose is there: thresholds, tunnels, persistence, both families.
/// In each service somebody has drained a server.
void make_table() {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wlc\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 50 -x 1000 -y 500\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 40 -x 900 -y 0\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.13:80 -m -w 30\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.14:80 -m -w 0 -x 7 -y 3\n"
      "-A -f 7 -s wlc -p 360 -M 255.255.255.0\n"
      "-a -f 7 -r 10.2.0.11:0 -i -w 50 --tun-type gue --tun-port 6080\n"
      "-a -f 7 -r 10.2.0.12:0 -i -w 0 --tun-type gre --tun-csum\n"
      "-a -f 7 -r 10.2.0.13:0 -g -w 20\n"
      "-A -t [fd09::9]:443 -s sed\n"
      "-a -t [fd09::9]:443 -r [fd02::11]:443 -g -w 60\n"
      "-a -t [fd09::9]:443 -r [fd02::12]:443 -g -w 45\n");
}

/// Servers whose load never stays what it is.
class Unrest {
 public:
  explicit Unrest(unsigned seed) : random_(seed), thread_([this] { change_loads(); }) {}
  ~Unrest() {
    stopped_ = true;
    thread_.join();
  }
  Unrest(const Unrest&) = delete;
  Unrest& operator=(const Unrest&) = delete;

 private:
  void change_loads() {
    while (!stopped_) {
      for (int i = 0; i < 4; ++i)
        machines_[i].busy_percent = static_cast<int>(5 + random_() % 91);
      std::this_thread::sleep_for(120ms);
    }
  }

  Random random_;
  Machines machines_{4, LVS_AGENT, LVS_MONITORCTL};
  std::atomic<bool> stopped_{};
  std::thread thread_;
};

/// What must come through all kills, and what was counted on the way.
class Witness {
 public:
  Witness() {
    for (auto const& entry : table()) {
      for (auto const& destination : entry.destinations)
        bases_.emplace(DestinationId{entry.service.key, destination.key}, destination.weight);
    }
  }

  /// With no monitord alive: whatever is found, it has left.
  void look() {
    auto const now = table();
    CHECK(facts_from_table(now) == facts_);
    auto const journal = journal_from_text(text_of("/run/state/journal"));
    CHECK(journal.fault == JournalContent::Fault::none);
    for (auto const& file : std::filesystem::directory_iterator(folder)) {
      auto const name = file.path().filename().string();
      CAPTURE(name);
      CHECK((name == "journal" || name == "journal.new"));  // nothing was set aside
    }
    for (auto const& entry : now) {
      for (auto const& destination : entry.destinations)
        look_at({entry.service.key, destination.key}, destination.weight, journal);
    }
    if (now != last_) ++changed_tables;
    last_ = now;
    ++kills;
  }

  int kills{}, open_intents{}, changed_tables{};

 private:
  void look_at(const DestinationId& id, std::uint32_t weight, const JournalContent& journal) {
    CAPTURE(lvs::ipvs::string_from_service_key(id.service),
            lvs::ipvs::string_from_destination_key(id.destination), weight);
    auto const base = bases_.at(id);
    if (base == 0) {
      CHECK(weight == 0);
    } else {
      CHECK(weight >= 1);
      CHECK(weight <= 100);
    }
    auto const found = journal.memory.destinations.find(id);
    if (found == journal.memory.destinations.end()) {
      CHECK_FALSE(remembered_);  // once known, known for ever
      return;
    }
    remembered_ = true;
    auto const& known = found->second;
    CHECK(known.base == base);
    CHECK_FALSE(known.base_configured);
    // Else the next monitord would take its predecessor's weight for somebody else's.
    bool const ours = weight == known.weight || weight == known.intended;
    CAPTURE(known.weight, known.intended.value_or(0));
    CHECK(ours);
    if (known.intended) ++open_intents;
  }

  TableFacts facts_{facts_from_table(table())};
  std::map<DestinationId, std::uint32_t> bases_{};
  std::vector<lvs::ipvs::ServiceEntry> last_{};
  bool remembered_{};
};

int kills_wanted(int usual) {
  auto const* const wanted = std::getenv("LVS_KILLS");
  return wanted == nullptr ? usual : std::atoi(wanted);
}

/// What a fresh monitord makes of it all.
void check_last_start() {
  auto const monitord = start_monitord(settings());
  REQUIRE(within(20s, [] { return number("cycle") > 5; }));
  std::map<std::string, std::uint32_t> bases;
  auto const now = status();
  for (auto const& service : now.at("services").as_array()) {
    for (auto const& item : service.at("destinations").as_array()) {
      bases.emplace(std::string(service.at("service").as_string()) + " " +
                        std::string(item.at("destination").as_string()),
                    item.at("base").to_number<std::uint32_t>());
    }
  }
  CHECK(bases == std::map<std::string, std::uint32_t>{{"tcp 10.9.9.9:80 10.2.0.11:80", 50},
                                                      {"tcp 10.9.9.9:80 10.2.0.12:80", 40},
                                                      {"tcp 10.9.9.9:80 10.2.0.13:80", 30},
                                                      {"tcp 10.9.9.9:80 10.2.0.14:80", 0},
                                                      {"fwm 7 10.2.0.11:0", 50},
                                                      {"fwm 7 10.2.0.12:0", 0},
                                                      {"fwm 7 10.2.0.13:0", 20},
                                                      {"tcp [fd09::9]:443 [fd02::11]:443", 60},
                                                      {"tcp [fd09::9]:443 [fd02::12]:443", 45}});
  CHECK(number("foreign_edits") == 0);
}

/// `wait` decides when the blow falls.
Witness killed_again_and_again(int kills, unsigned seed,
                               const std::function<void(Random&, FolderWatch&)>& wait) {
  make_table();
  std::filesystem::create_directory(folder);
  Unrest const unrest(seed);
  Random random(seed);
  FolderWatch watch(folder);
  Witness witness;
  while (witness.kills < kills) {
    watch.forget();
    auto monitord = start_monitord(settings());
    wait(random, watch);
    REQUIRE(monitord.end(SIGKILL) == 128 + SIGKILL);
    CAPTURE(witness.kills, seed);
    witness.look();
  }
  check_last_start();
  return witness;
}

void tell(const char* what, const Witness& witness) {
  std::cout << "crash, " << what << ": " << witness.kills << " kills survived, after "
            << witness.changed_tables << " of them other weights than after the one before, "
            << witness.open_intents << " weights caught in the middle of their write\n";
}

}  // namespace

TEST_CASE("crash: nothing is lost when monitord is killed at random moments") {
  auto const witness =
      killed_again_and_again(kills_wanted(100), 20260101, [](Random& random, FolderWatch& watch) {
        // Half of them while it starts. A busy host makes that long: the others wait for it.
        if (random() % 2 == 0) watch.wait_for(4);
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 600));
      });
  tell("random moments", witness);
  CHECK(witness.changed_tables > 0);  // how many depends on how busy the host is
}

TEST_CASE("crash: nothing is lost when monitord is killed around its writes") {
  auto const witness =
      killed_again_and_again(kills_wanted(130), 20260102, [](Random& random, FolderWatch& watch) {
        watch.wait_for(static_cast<int>(1 + random() % 12));
        for (auto yields = random() % 20; yields > 0; --yields)
          sched_yield();
      });
  tell("around its writes", witness);
  CHECK(witness.open_intents > 10);
}
