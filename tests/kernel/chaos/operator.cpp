#include "kernel/chaos/operator.hpp"

#include <chrono>
#include <iterator>
#include <utility>

#include "kernel/guest.hpp"

namespace lvs::chaos {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t largest_base = 60;
// Two edits of one destination within a cycle look like one; each is to be seen for itself.
constexpr Moment between_edits = 1600ms;

std::string key(const Pool& pool, const Seat& seat) {
  return pool.name + " " + seat.address;
}

Pool made(const char* name, const char* option, const char* scheduler) {
  return {name, option, scheduler, {}};
}

/// "-w 5 -x 0 -y 0"
std::string numbers(std::uint32_t weight, std::uint32_t upper, std::uint32_t lower) {
  return " -w " + std::to_string(weight) + " -x " + std::to_string(upper) + " -y " +
         std::to_string(lower);
}

}  // namespace

std::vector<Pool> four_pools(int servers) {
  std::vector<Pool> pools{made("tcp 10.9.9.9:80", "-t 10.9.9.9:80", "wlc"),
                          made("fwm 7", "-f 7", "wrr"),
                          made("udp 10.9.9.9:53", "-u 10.9.9.9:53", "sed"),
                          made("tcp [fd09::9]:443", "-t [fd09::9]:443", "wrr")};
  for (int i = 1; i <= servers; ++i) {
    auto const host = "10.2.0.1" + std::to_string(i);
    auto const tunnel =
        i % 2 == 0 ? "-i --tun-type gre --tun-csum" : "-i --tun-type gue --tun-port 6080";
    pools[0].seats.push_back({pools[0].option, host + ":80", "-m"});
    pools[1].seats.push_back({pools[1].option, host + ":0", tunnel});
    pools[2].seats.push_back({pools[2].option, host + ":53", "-g"});
    pools[3].seats.push_back({pools[3].option, "[fd02::1" + std::to_string(i) + "]:443", "-m"});
  }
  return pools;
}

Operator::Operator(std::vector<Pool> pools, Random& random, Moment (*clock)())
    : pools_(std::move(pools)), random_(random), clock_(clock) {}

void Operator::build() {
  std::string rules;
  for (auto const& pool : pools_) {
    rules += "-A " + pool.option + " -s " + pool.scheduler + "\n";
    for (auto const& seat : pool.seats) {
      auto const name = key(pool, seat);
      auto const weight = another_weight(name, {});
      auto const& limits = thresholds_[name];
      rules += "-a " + pool.option + " -r " + seat.address + " " + seat.forwarding +
               numbers(weight, limits.upper, limits.lower) + "\n";
      bases_[name] = {weight};
      touched_[name] = clock_();
    }
  }
  guest::ipvsadm_restore(rules);
}

bool Operator::rebuild(bool reload) {
  ++counts_[reload ? "reloads of ip_vs" : "rebuilds"];
  bool unloaded = true;
  guest::must("ipvsadm -C");
  if (reload) {
    // monitord's next look loads it again, so that it may be in use once more.
    unloaded = guest::run("modprobe -r ip_vs_wlc ip_vs_wrr ip_vs_sed ip_vs").exit_code == 0;
    guest::must("modprobe ip_vs");
  }
  build();
  return unloaded;
}

std::optional<Edit> Operator::edit(const Look& now) {
  for (auto const& pool : pools_) {
    for (auto const& seat : pool.seats) {
      auto const there = now.destinations.find(key(pool, seat));
      if (there != now.destinations.end()) last_weights_[key(pool, seat)] = there->second.weight;
    }
  }
  switch (random_() % 10) {
    case 0:
    case 1:
    case 2:
      return reweight(now);
    case 3:
    case 4:
      return drain(now);
    case 5:
    case 6:
      return undrain(now);
    case 7:
      return limit(now);
    case 8:
      return remove(now);
    default:
      return add(now);
  }
}

std::optional<Operator::Choice> Operator::chosen(const Look& now, bool present) {
  std::vector<Choice> choices;
  for (auto const& pool : pools_) {
    for (auto const& seat : pool.seats) {
      auto const name = key(pool, seat);
      if (now.destinations.contains(name) != present) continue;
      if (clock_() - touched_[name] < between_edits) continue;
      choices.push_back({&seat, name});
    }
  }
  if (choices.empty()) return std::nullopt;
  return choices[random_() % choices.size()];
}

/// Not the one that is there: to write that is no edit. Nor the last one known.
std::uint32_t Operator::another_weight(const std::string& name, const Look& now) {
  auto const there = now.destinations.find(name);
  auto const last = last_weights_.find(name);
  while (true) {
    auto const weight = static_cast<std::uint32_t>(1 + random_() % largest_base);
    if (there != now.destinations.end() && there->second.weight == weight) continue;
    if (last != last_weights_.end() && last->second == weight) continue;
    return weight;
  }
}

/// With everything that ipvsadm would reset otherwise.
void Operator::set(const Choice& choice, const char* command, std::uint32_t weight) {
  auto const& limits = thresholds_[choice.name];
  guest::must(std::string("ipvsadm ") + command + " " + choice.seat->service_option + " -r " +
              choice.seat->address + " " + choice.seat->forwarding +
              numbers(weight, limits.upper, limits.lower));
}

Edit Operator::done(const Choice& choice, std::optional<std::uint32_t> wanted) {
  auto const now = clock_();
  touched_[choice.name] = now;
  return {now, {{choice.name, wanted}}};
}

void Operator::expect(const std::string& name, std::uint32_t weight) {
  bases_before_[name] = bases_[name];
  bases_[name] = {weight};
}

void Operator::lost(const std::string& destination) {
  for (auto const base : bases_before_[destination])
    bases_[destination].insert(base);
}

std::optional<Edit> Operator::reweight(const Look& now) {
  auto const choice = chosen(now, true);
  if (!choice || now.destinations.at(choice->name).weight == 0) return std::nullopt;
  ++counts_["weights"];
  auto const weight = another_weight(choice->name, now);
  set(*choice, "-e", weight);
  expect(choice->name, weight);
  return done(*choice, weight);
}

std::optional<Edit> Operator::drain(const Look& now) {
  auto const choice = chosen(now, true);
  if (!choice || now.destinations.at(choice->name).weight == 0) return std::nullopt;
  ++counts_["drains"];
  set(*choice, "-e", 0);
  return done(*choice, 0);
}

std::optional<Edit> Operator::undrain(const Look& now) {
  for (int tries = 0; tries < 20; ++tries) {
    auto const choice = chosen(now, true);
    if (!choice) return std::nullopt;
    if (now.destinations.at(choice->name).weight != 0) continue;
    ++counts_["undrains"];
    auto const weight = another_weight(choice->name, now);
    set(*choice, "-e", weight);
    expect(choice->name, weight);
    return done(*choice, weight);
  }
  return std::nullopt;
}

/// ipvsadm cannot leave the weight out: what was there when somebody looked is written again.
std::optional<Edit> Operator::limit(const Look& now) {
  auto const choice = chosen(now, true);
  if (!choice) return std::nullopt;
  ++counts_["thresholds"];
  auto const upper = static_cast<std::uint32_t>(random_() % 1000);
  thresholds_[choice->name] = {upper, upper / 2};
  auto const weight = now.destinations.at(choice->name).weight;
  set(*choice, "-e", weight);
  if (weight != 0) bases_[choice->name].insert(weight);
  return done(*choice, weight);
}

std::optional<Edit> Operator::remove(const Look& now) {
  auto const choice = chosen(now, true);
  if (!choice) return std::nullopt;
  ++counts_["removals"];
  guest::must("ipvsadm -d " + choice->seat->service_option + " -r " + choice->seat->address);
  bases_.erase(choice->name);
  return done(*choice, std::nullopt);
}

std::optional<Edit> Operator::add(const Look& now) {
  auto const choice = chosen(now, false);
  if (!choice) return std::nullopt;
  ++counts_["additions"];
  auto const weight = another_weight(choice->name, now);
  thresholds_.erase(choice->name);
  set(*choice, "-a", weight);
  expect(choice->name, weight);
  return done(*choice, weight);
}

std::size_t Operator::edits() const {
  std::size_t all = 0;
  for (auto const& [what, count] : counts_)
    all += count;
  return all;
}

std::string Operator::counts() const {
  std::string text;
  for (auto const& [what, count] : counts_)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

}  // namespace lvs::chaos
