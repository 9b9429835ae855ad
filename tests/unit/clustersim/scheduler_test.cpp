// Dispatch against hand-computed tables and against what Linux 6.1 was seen to do.

#include <rapidcheck.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "clustersim/scheduler.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Destinations;
using lvs::clustersim::is_scheduler;
using lvs::clustersim::Scheduler;
using lvs::clustersim::scheduler_from_name;

/// A service whose destinations are named by the order in which they were added, from 1.
class Service {
 public:
  Service(const char* name, std::initializer_list<std::uint32_t> weights)
      : Service(name, std::vector<std::uint32_t>(weights)) {}

  Service(const char* name, const std::vector<std::uint32_t>& weights)
      : scheduler_(scheduler_from_name(name)) {
    destinations_.port = 80;
    for (auto const weight : weights) {
      destinations_.weight.insert(destinations_.weight.begin(), weight);
      destinations_.last_weight.insert(destinations_.last_weight.begin(), weight);
      destinations_.active.insert(destinations_.active.begin(), 0);
      destinations_.inactive.insert(destinations_.inactive.begin(), 0);
      auto const number = static_cast<std::uint32_t>(destinations_.size());
      destinations_.address.insert(destinations_.address.begin(), 0x0a000000 + number);
      scheduler_->edited(destinations_);
    }
  }

  /// 0: refused.
  std::size_t pick(std::uint32_t source = 0) {
    auto const place = scheduler_->pick(destinations_, source);
    return place ? destinations_.size() - *place : 0;
  }

  std::vector<std::size_t> picks(std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i)
      order.push_back(pick());
    return order;
  }

  /// Picks that stay open, by destination.
  std::vector<std::size_t> held(std::size_t count) {
    std::vector<std::size_t> taken(destinations_.size());
    for (std::size_t i = 0; i < count; ++i) {
      auto const number = pick();
      ++active(number);
      ++taken[number - 1];
    }
    return taken;
  }

  void edit(std::size_t number, std::uint32_t weight) {
    destinations_.weight[place(number)] = weight;
    if (weight > 0) destinations_.last_weight[place(number)] = weight;
    scheduler_->edited(destinations_);
  }

  std::uint32_t& active(std::size_t number) { return destinations_.active[place(number)]; }
  std::uint32_t& inactive(std::size_t number) { return destinations_.inactive[place(number)]; }

 private:
  [[nodiscard]] std::size_t place(std::size_t number) const {
    return destinations_.size() - number;
  }

  Destinations destinations_{};
  std::unique_ptr<Scheduler> scheduler_;
};

std::vector<std::size_t> counts(const std::vector<std::size_t>& order, std::size_t destinations) {
  std::vector<std::size_t> result(destinations);
  for (auto const number : order)
    ++result[number - 1];
  return result;
}

using Order = std::vector<std::size_t>;

TEST_CASE("scheduler: unknown names and pools without weight") {
  CHECK(scheduler_from_name("lblc") == nullptr);
  CHECK_FALSE(is_scheduler(""));
  for (auto const* const name : {"wrr", "wlc", "sed", "nq", "rr", "mh"}) {
    CAPTURE(name);
    CHECK(is_scheduler(name));
    CHECK(Service(name, {0, 0, 0}).pick() == 0);
    CHECK(Service(name, std::vector<std::uint32_t>{}).pick() == 0);
  }
}

TEST_CASE("scheduler: a destination of weight 0 gets nothing") {
  for (auto const* const name : {"wrr", "wlc", "sed", "nq", "rr"}) {
    CAPTURE(name);
    Service service(name, {5, 5, 5});
    service.picks(2);
    service.edit(3, 0);
    service.active(1) = 9;
    CHECK(counts(service.picks(50), 3)[2] == 0);
    service.edit(1, 0);
    service.edit(2, 0);
    CHECK(service.pick() == 0);
    service.edit(3, 5);
    CHECK(service.pick() == 3);
  }
}

TEST_CASE("scheduler: wrr walks 4 2 1 from the level at which it stood when they were added") {
  Service service("wrr", {4, 2, 1});
  CHECK(service.picks(14) == Order{3, 2, 1, 1, 1, 2, 1, 3, 2, 1, 1, 1, 2, 1});
}

TEST_CASE("scheduler: wrr picks 10 5 1 in the order that a kernel showed") {
  Service service("wrr", {10, 5, 1});
  CHECK(service.picks(16) == Order{3, 2, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1});
}

TEST_CASE("scheduler: wrr picks 100 1 1 in one long run") {
  Service service("wrr", {100, 1, 1});
  auto const order = service.picks(102);
  CHECK(order[0] == 3);
  CHECK(order[1] == 2);
  CHECK(std::all_of(order.begin() + 2, order.end(), [](auto number) { return number == 1; }));
}

TEST_CASE("scheduler: any edit restarts the walk of wrr as seen on a kernel") {
  struct Row {
    std::size_t every;
    Order expected;
  };
  for (auto const& row : {Row{1, {0, 0, 60}}, Row{2, {0, 30, 30}}, Row{4, {15, 15, 30}}}) {
    CAPTURE(row.every);
    Service service("wrr", {10, 10, 10});
    Order order;
    for (std::size_t i = 0; i < 60; ++i) {
      if (i % row.every == 0) service.edit(2, 10);
      order.push_back(service.pick());
    }
    CHECK(counts(order, 3) == row.expected);
  }
}

TEST_CASE("scheduler: wrr keeps its level over an edit and falls back when the largest shrinks") {
  Service service("wrr", {2, 6});
  // Added 2, then 6: level 1. One round at 1, then 6 6 4 4 (gcd 2: levels 5, 3, 1).
  CHECK(service.picks(4) == Order{2, 1, 2, 2});
  service.edit(2, 4);  // level 3 is the new highest, the walk begins again at the newest
  CHECK(service.picks(4) == Order{2, 2, 1, 2});
}

TEST_CASE("scheduler: a whole cycle of wrr gives exact shares") {
  rc::check([](const std::vector<std::uint8_t>& given) {
    std::vector<std::uint32_t> weights(given.begin(), given.end());
    weights.push_back(3);
    auto const sum = std::accumulate(weights.begin(), weights.end(), 0U);
    Service service("wrr", weights);
    std::uint32_t divisor = 0;
    for (auto const weight : weights)
      divisor = std::gcd(divisor, weight);
    service.picks(weights.size());  // wherever the walk stands
    auto const taken = counts(service.picks(sum / divisor), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      RC_ASSERT(taken[i] == weights[i] / divisor);
  });
}

TEST_CASE("scheduler: wlc compares 256 active + inactive per weight and the newest wins ties") {
  Service service("wlc", {1, 1});
  CHECK(service.pick() == 2);
  service.inactive(2) = 1;
  CHECK(service.pick() == 1);
  service.active(1) = 1;
  service.inactive(2) = 255;
  CHECK(service.pick() == 2);
  service.inactive(2) = 256;
  CHECK(service.pick() == 2);
  service.inactive(2) = 257;
  CHECK(service.pick() == 1);
  Service uneven("wlc", {1, 4});
  uneven.active(1) = 1;
  uneven.active(2) = 4;
  CHECK(uneven.pick() == 2);
  uneven.inactive(2) = 1;
  CHECK(uneven.pick() == 1);
}

TEST_CASE("scheduler: wlc shares held connections as seen on a kernel and repairs the ratio") {
  Service service("wlc", {3, 2, 1});
  CHECK(service.held(60) == Order{30, 20, 10});
  service.edit(1, 1);
  service.edit(3, 3);
  auto const next = service.held(60);
  CHECK(next[0] == 0);
  CHECK(next[1] + next[2] == 60);
  CHECK(next[1] >= 15);
  CHECK(next[1] <= 17);
}

TEST_CASE("scheduler: sed sends to the least active + 1 per weight") {
  Service service("sed", {1, 3});
  // (0+1)/3, (1+1)/3, (2+1)/3 = 1/1: the newest wins the tie, then 4/3 > 1.
  Order order;
  for (int i = 0; i < 5; ++i) {
    order.push_back(service.pick());
    ++service.active(order.back());
  }
  CHECK(order == Order{2, 2, 2, 1, 2});
  Service idle("sed", {100, 10, 1});
  CHECK(counts(idle.picks(30), 3) == Order{30, 0, 0});
}

TEST_CASE("scheduler: nq takes the newest idle destination first and goes on as sed") {
  Service idle("nq", {100, 10, 1});
  CHECK(counts(idle.picks(30), 3) == Order{0, 0, 30});
  Service service("nq", {4, 1});
  CHECK(service.held(5) == Order{4, 1});
}

TEST_CASE("scheduler: rr goes round whatever the weights and edits are") {
  Service service("rr", {9, 1, 4});
  CHECK(service.picks(4) == Order{3, 2, 1, 3});
  service.edit(1, 2);
  CHECK(service.picks(3) == Order{2, 1, 3});
  service.edit(2, 0);
  CHECK(service.picks(3) == Order{1, 3, 1});
}

std::vector<std::size_t> owners(Service& service, std::uint32_t clients) {
  std::vector<std::size_t> result;
  for (std::uint32_t client = 0; client < clients; ++client)
    result.push_back(service.pick(0x0a800001 + client));
  return result;
}

std::size_t differences(const Order& a, const Order& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += a[i] != b[i] ? 1 : 0;
  return count;
}

TEST_CASE("scheduler: mh gives clients by weight and moves few of them") {
  constexpr std::uint32_t clients = 20000;
  Service service("mh", {100, 50, 50});
  auto const before = owners(service, clients);
  auto const taken = counts(before, 3);
  CHECK(static_cast<double>(taken[0]) / clients == Approx(0.5).margin(0.02));
  CHECK(static_cast<double>(taken[1]) / clients == Approx(0.25).margin(0.02));
  CHECK(owners(service, clients) == before);
  service.edit(2, 40);
  auto const after = owners(service, clients);
  auto const moved = static_cast<double>(differences(before, after)) / clients;
  CHECK(moved > 0.02);
  CHECK(moved < 0.15);
}

TEST_CASE("scheduler: mh refuses the clients of a drained destination and moves nobody") {
  Service service("mh", {100, 100, 100});
  auto const before = owners(service, 3000);
  service.edit(2, 0);
  auto const after = owners(service, 3000);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(after[i] == (before[i] == 2 ? 0 : before[i]));
    refused += after[i] == 0 ? 1 : 0;
  }
  CHECK(refused > 800);
  service.edit(2, 100);
  CHECK(owners(service, 3000) == before);
}

}  // namespace
