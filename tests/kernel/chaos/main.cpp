// chaos SEED SECONDS - monitord in a lab kernel where everything goes wrong at once, watched from
// beside. Run by lab/chaos. The last line says what happened; exit status 1: a law was broken.

#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ipvs/netlink_table.hpp"
#include "kernel/chaos/cycles.hpp"
#include "kernel/chaos/disturbances.hpp"
#include "kernel/chaos/judge.hpp"
#include "kernel/chaos/keeper.hpp"
#include "kernel/chaos/kept_judge.hpp"
#include "kernel/chaos/operator.hpp"
#include "kernel/chaos/settings.hpp"
#include "kernel/director.hpp"
#include "kernel/network.hpp"
#include "kernel/table_facts.hpp"

namespace {

using namespace std::chrono_literals;
using namespace lvs;
using namespace lvs::chaos;

constexpr Moment between_looks = 80ms, between_looks_after_edit = 10ms;
constexpr Moment between_questions = 4s;  // to monitord
constexpr std::uint64_t least_cycles_percent = 80;

/// Goes on in a suspend, and a step of the wall clock does not move it.
Moment boot_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// The table at one moment, keepalived's service apart.
struct Seen {
  Look look{};
  std::map<std::string, chaos::Destination> kept{};
};

Seen seen_from_table(const std::vector<ipvs::ServiceEntry>& table) {
  Seen seen;
  for (auto const& entry : table) {
    auto const service = ipvs::string_from_service_key(entry.service.key);
    bool const kept = service == Keeper::service;
    if (!kept) seen.look.services.emplace(service, guest::facts_of(entry.service));
    auto& destinations = kept ? seen.kept : seen.look.destinations;
    for (auto const& destination : entry.destinations) {
      destinations.emplace(service + " " + ipvs::string_from_destination_key(destination.key),
                           chaos::Destination{destination.weight, guest::facts_of(destination)});
    }
  }
  seen.look.at = boot_clock();
  return seen;
}

class Run {
 public:
  explicit Run(unsigned seed)
      : random_(seed), operator_(four_pools(Disturbances::servers), random_, boot_clock) {
    operator_.build();
    look_anew();
  }

  void go(Moment length) {
    auto const end = boot_clock() + length;
    Moment next_edit = boot_clock() + 3s, next_question = next_edit, next_disturbance = next_edit;
    while (boot_clock() < end) {
      look();
      if (boot_clock() >= next_edit) {
        edit();
        next_edit = boot_clock() + std::chrono::milliseconds(50 + random_() % 400);
      }
      if (boot_clock() >= next_disturbance) {
        disturb();
        next_disturbance = boot_clock() + std::chrono::milliseconds(300 + random_() % 1200);
      }
      if (boot_clock() >= next_question) {
        question();
        next_question = boot_clock() + between_questions;
      }
      sleep();
    }
  }

  /// With nothing going on any more: the bases are what the operator and keepalived meant.
  void check_what_is_left() {
    disturbances_.calm_down();
    auto const cycle = guest::number("cycle");
    bool const alive =
        guest::within(60s, [&] { return cycle > 0 && guest::number("cycle") >= cycle + 8; });
    if (!alive) {
      broken_.emplace_back("monitord does not run any more");
      return;
    }
    look();
    for_each_verdict(guest::status(), [this](const std::string& name, const auto& verdict) {
      check_base(name, verdict.at("base").template to_number<std::uint32_t>());
      ++compared_bases_;
    });
    auto const all = last_.look.destinations.size() + last_.kept.size();
    if (compared_bases_ != all) {
      broken_.push_back(std::to_string(compared_bases_) + " verdicts for " + std::to_string(all) +
                        " destinations");
    }
  }

  /// True: every law was kept.
  bool tell() {
    auto const expected = cycles_.expected(interval);
    if (overslept_ > slept_ / 5) {
      std::cout << "the host was too busy: nothing is said about late cycles\n";
    } else if (cycles_.counted() * 100 < expected * least_cycles_percent) {
      broken_.emplace_back("cycles were late");
    }
    if (operator_.edits() == 0 || judge_.writes() == 0) {
      broken_.emplace_back("nothing happened: no edit or no weight written");
    }
    for (auto const* more : {&judge_.broken(), &kept_judge_.broken()})
      broken_.insert(broken_.end(), more->begin(), more->end());
    for (auto const& text : broken_)
      std::cout << "BROKEN: " << text << "\n";
    std::cout << "edits: " << operator_.counts() << "; " << refused_unloads_
              << " unloads were refused by the kernel\n";
    std::cout << "disturbances: " << disturbances_.counts() << "\n";
    std::cout << "keepalived: " << kept_judge_.failures() << " times 0 for a server, "
              << kept_judge_.returns() << " given back, " << kept_judge_.unseen() << " unseen, "
              << kept_judge_.lost() << " lost in the window\n";
    std::cout << "chaos: " << judge_.looks() << " looks, " << judge_.writes()
              << " weights written by monitord, cycles " << cycles_.counted() << " of " << expected
              << ", " << compared_bases_ << " bases right at the end, " << judge_.lost_edits()
              << " edits lost in the window (seen " << milliseconds_of(judge_.longest_loss())
              << " ms later at most), " << broken_.size() << " laws broken\n";
    return broken_.empty();
  }

 private:
  static std::int64_t milliseconds_of(Moment time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  }

  /// Whoever wakes up late himself cannot blame others.
  void sleep() {
    auto const before = boot_clock();
    std::this_thread::sleep_for(between_looks);
    auto const passed = boot_clock() - before;
    slept_ += passed;
    overslept_ += passed - between_looks;
  }

  /// ip_vs may be away for a moment.
  Seen read() {
    for (int tries = 0; tries < 50; ++tries) {
      if (auto const table = kernel_.services()) return seen_from_table(*table);
      std::this_thread::sleep_for(20ms);
    }
    throw std::runtime_error("the table cannot be read");
  }

  void look() {
    last_ = read();
    judge_.look(last_.look);
    kept_judge_.look(last_.look.at, last_.kept);
    take_losses();
  }

  /// Once keepalived has made its service.
  void look_anew() {
    for (int tries = 0; tries < 1000; ++tries) {
      last_ = read();
      if (last_.kept.size() == Keeper::servers) break;
      std::this_thread::sleep_for(20ms);
    }
    if (last_.kept.size() != Keeper::servers) throw std::runtime_error("keepalived does nothing");
    judge_.start_again(last_.look);
    kept_judge_.start_again(last_.look.at, last_.kept);
  }

  void edit() {
    if (random_() % 60 == 0) return rebuild();
    look();  // right before: everything until now is monitord's
    auto const edit = operator_.edit(last_.look);
    if (!edit) return;
    last_ = read();
    judge_.edited(*edit, last_.look);
    kept_judge_.look(last_.look.at, last_.kept);
    take_losses();
    for (auto const until = edit->ended + Judge::window; boot_clock() < until;) {
      std::this_thread::sleep_for(between_looks_after_edit);
      look();
    }
  }

  void rebuild() {
    bool const reload = random_() % 2 == 0;
    keeper_.stop();
    if (!operator_.rebuild(reload)) ++refused_unloads_;
    keeper_.start();
    look_anew();
  }

  void take_losses() {
    for (auto const& [name, destination] : last_.look.destinations) {
      if (judge_.take_lost(name)) operator_.lost(name);
    }
  }

  void disturb() {
    disturbances_.shake();
    if (random_() % 3 == 0) return keeper_.flap(random_);
    if (disturbances_.disturb()) cycles_.forget();
  }

  void question() {
    auto const status = guest::status();
    if (!status.contains("monitord")) return cycles_.forget();
    cycles_.seen(boot_clock(), status.at("monitord").at("cycle").to_number<std::uint64_t>());
    for_each_verdict(status, [this](const std::string& name, const auto& verdict) {
      bool const told = verdict.at("outcome").is_string() && verdict.at("reason").is_string() &&
                        !verdict.at("reason").as_string().empty();
      if (!told) broken_.push_back(name + ": no verdict");
    });
  }

  template <typename Action>
  static void for_each_verdict(const boost::json::object& status, const Action& action) {
    if (!status.contains("services")) return;
    for (auto const& service : status.at("services").as_array()) {
      for (auto const& verdict : service.at("destinations").as_array()) {
        action(std::string(service.at("service").as_string()) + " " +
                   std::string(verdict.at("destination").as_string()),
               verdict);
      }
    }
  }

  void check_base(const std::string& name, std::uint32_t base) {
    if (last_.kept.contains(name)) return check_kept_base(name, base);
    auto const meant = operator_.bases().find(name);
    if (meant != operator_.bases().end() && meant->second.contains(base)) return;
    std::string text = name + ": the base is " + std::to_string(base) + ", meant was";
    if (meant != operator_.bases().end()) {
      for (auto const weight : meant->second)
        text += " " + std::to_string(weight);
    }
    broken_.push_back(text);
  }

  /// 0: not known, as the server was never seen alive.
  void check_kept_base(const std::string& name, std::uint32_t base) {
    if (base == Keeper::weight || (base == 0 && last_.kept.at(name).weight == 0)) return;
    broken_.push_back(name + ": the base is " + std::to_string(base) + ", not keepalived's weight");
  }

  Random random_;
  Operator operator_;
  Judge judge_{};
  KeptJudge kept_judge_{Keeper::weight};
  ipvs::NetlinkTable kernel_{30s};  // a busy host may keep a lab kernel waiting
  Keeper keeper_{};
  Disturbances disturbances_{random_};
  Cycles cycles_{};
  Seen last_{};
  std::vector<std::string> broken_{};
  std::size_t refused_unloads_{}, compared_bases_{};
  Moment slept_{}, overslept_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: chaos SEED SECONDS\n";
    return 2;
  }
  try {
    std::chrono::seconds const length(std::stol(argv[2]));
    auto const seed = static_cast<unsigned>(std::stoul(argv[1]));
    std::cout << "chaos: seed " << seed << ", " << length.count() << " s" << std::endl;
    guest::Network const network(Disturbances::servers);
    Run run(seed);
    run.go(length);
    run.check_what_is_left();
    return run.tell() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "chaos: " << error.what() << "\n";
    return 1;
  }
}
