// Carrying out a plan against a table that changes and fails in between.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "monitord/apply.hpp"
#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";

std::vector<ipvs::ServiceEntry> table_of_three() {
  return {service(vip, "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}, {"10.0.0.13:80", 10}})};
}

WeightChange change(std::string_view name, std::uint32_t from, std::uint32_t to) {
  return {destination_key(name), from, to, "test"};
}

Plan plan_of_three() {
  return {{service_key(vip),
           {change("10.0.0.11:80", 10, 4), change("10.0.0.12:80", 10, 12),
            change("10.0.0.13:80", 10, 14)}}};
}

bool no_intent(const ipvs::ServiceKey&, std::span<const WeightChange>) {
  return true;
}

void set(ipvs::FakeTable& table, std::string_view name, std::uint32_t weight) {
  table.find(service_key(vip), destination_key(name))->weight = weight;
}

}  // namespace

TEST_CASE("apply: an empty plan makes no call at all") {
  ipvs::FakeTable table(table_of_three());
  CHECK(apply({}, table, no_intent).empty());
  CHECK(table.calls == 0);
}

TEST_CASE("apply: every change is written and read back") {
  ipvs::FakeTable table(table_of_three());
  auto const done = apply(plan_of_three(), table, no_intent);
  REQUIRE(done.size() == 3);
  for (auto const& item : done)
    CHECK(item.result == Applied::Result::written);
  CHECK(table.find(service_key(vip), destination_key("10.0.0.13:80"))->weight == 14);
}

TEST_CASE("apply: one failing write never stops the others") {
  ipvs::FakeTable table(table_of_three());
  auto const* const name = GENERATE("10.0.0.11:80", "10.0.0.12:80", "10.0.0.13:80");
  table.unwritable[{service_key(vip), destination_key(name)}] = {ipvs::ErrorKind::refused, EIO,
                                                                 "disk on fire"};
  auto const done = apply(plan_of_three(), table, no_intent);
  CHECK(table.written.size() == 2);
  for (auto const& item : done) {
    bool const failing = item.change.destination == destination_key(name);
    CHECK(item.result == (failing ? Applied::Result::failed : Applied::Result::written));
    CHECK(item.error == (failing ? "disk on fire" : ""));
  }
}

TEST_CASE("apply: a failure at any call leaves the rest standing") {
  for (std::size_t call = 0; call < 5; ++call) {
    ipvs::FakeTable table(table_of_three());
    table.fail_at = call;
    auto const done = apply(plan_of_three(), table, no_intent);
    REQUIRE(done.size() == 3);
    for (auto const& item : done) {
      auto const weight = table.find(service_key(vip), item.change.destination)->weight;
      if (item.result == Applied::Result::written) CHECK(weight == item.change.to);
      if (item.result == Applied::Result::failed) CHECK(weight == item.change.from);
    }
  }
}

TEST_CASE("apply: a weight that changed since the dump is dropped and a zero above all") {
  ipvs::FakeTable table(table_of_three());
  auto const foreign = GENERATE(0U, 11U, 4U);
  set(table, "10.0.0.11:80", foreign);
  auto const done = apply(plan_of_three(), table, no_intent);
  CHECK(done[0].result == Applied::Result::changed_meanwhile);
  CHECK(table.find(service_key(vip), destination_key("10.0.0.11:80"))->weight == foreign);
  CHECK(table.written.size() == 2);
}

TEST_CASE("apply: a zero is dropped when somebody else has drained the rest meanwhile") {
  ipvs::FakeTable table(table_of_three());
  Plan const plan{{service_key(vip), {change("10.0.0.11:80", 10, 0)}}};
  auto const others = GENERATE(0U, 10U);
  set(table, "10.0.0.12:80", others);
  set(table, "10.0.0.13:80", 0);
  auto const done = apply(plan, table, no_intent);
  auto const expected = others == 0 ? Applied::Result::changed_meanwhile : Applied::Result::written;
  CHECK(done[0].result == expected);
  CHECK(table.find(service_key(vip), destination_key("10.0.0.11:80"))->weight ==
        (others == 0 ? 10U : 0U));
}

TEST_CASE("apply: limits raised since the dump survive: case 36") {
  ipvs::FakeTable table(table_of_three());
  table.find(service_key(vip), destination_key("10.0.0.11:80"))->upper_threshold = 200;
  (void)apply(plan_of_three(), table, no_intent);
  CHECK(table.find(service_key(vip), destination_key("10.0.0.11:80"))->upper_threshold == 200);
}

TEST_CASE("apply: what vanished is counted and not brought back") {
  ipvs::FakeTable table(table_of_three());
  table.entries[0].destinations.erase(table.entries[0].destinations.begin());
  auto const done = apply(plan_of_three(), table, no_intent);
  CHECK(done[0].result == Applied::Result::gone);
  CHECK(table.entries[0].destinations.size() == 2);

  table.entries.clear();
  for (auto const& item : apply(plan_of_three(), table, no_intent)) {
    CHECK(item.result == Applied::Result::gone);
  }
}

TEST_CASE("apply: a foreign write before the read-back is seen") {
  ipvs::FakeTable table(table_of_three());
  table.after_write = [](ipvs::FakeTable& kernel) { set(kernel, "10.0.0.11:80", 99); };
  auto const done = apply(plan_of_three(), table, no_intent);
  CHECK(done[0].result == Applied::Result::overwritten);
  CHECK(done[1].result == Applied::Result::written);
}

TEST_CASE("apply: intents are told before the first write and not for what is dropped") {
  ipvs::FakeTable table(table_of_three());
  set(table, "10.0.0.12:80", 0);
  std::vector<WeightChange> told;
  auto const done = apply(plan_of_three(), table,
                          [&](const ipvs::ServiceKey& key, std::span<const WeightChange> changes) {
                            CHECK(key == service_key(vip));
                            CHECK(table.written.empty());
                            told.insert(told.end(), changes.begin(), changes.end());
                            return true;
                          });
  CHECK(told == std::vector{change("10.0.0.11:80", 10, 4), change("10.0.0.13:80", 10, 14)});
  CHECK(done[1].result == Applied::Result::changed_meanwhile);
}

TEST_CASE("apply: where everything was dropped nothing is intended") {
  ipvs::FakeTable table(table_of_three());
  for (auto const* name : {"10.0.0.11:80", "10.0.0.12:80", "10.0.0.13:80"})
    set(table, name, 0);
  bool told = false;
  for (auto const& item : apply(plan_of_three(), table, [&](auto&, auto) { return told = true; })) {
    CHECK(item.result == Applied::Result::changed_meanwhile);
  }
  CHECK_FALSE(told);
  CHECK(table.batches == 0);
}

TEST_CASE("apply: a zero that cannot be written down is not set, and other weights are") {
  ipvs::FakeTable table(table_of_three());
  Plan const plan{
      {service_key(vip), {change("10.0.0.11:80", 10, 0), change("10.0.0.12:80", 10, 12)}}};
  auto done = apply(plan, table, [](auto&, auto) { return false; });
  REQUIRE(done.size() == 2);
  CHECK(done[0].result == Applied::Result::unrecorded);
  CHECK(done[1].result == Applied::Result::written);
  CHECK(table.find(service_key(vip), destination_key("10.0.0.11:80"))->weight == 10);
  CHECK(table.written.size() == 1);

  Plan const zero{{service_key(vip), {change("10.0.0.11:80", 10, 0)}}};
  done = apply(zero, table, [](auto&, auto) { return false; });
  CHECK(done[0].result == Applied::Result::unrecorded);
  CHECK(table.batches == 1);
}

TEST_CASE("apply: only a lost answer leaves open whether a write was carried out") {
  auto const [kind, number, perhaps] = GENERATE(table<ipvs::ErrorKind, int, bool>({
      {ipvs::ErrorKind::refused, EINVAL, false},
      {ipvs::ErrorKind::no_permission, EPERM, false},
      {ipvs::ErrorKind::no_such_destination, ENOENT, false},
      {ipvs::ErrorKind::timed_out, ENOBUFS, true},
      {ipvs::ErrorKind::timed_out, ETIMEDOUT, true},
      {ipvs::ErrorKind::malformed, 0, true},
  }));
  ipvs::FakeTable table(table_of_three());
  table.unwritable[{service_key(vip), destination_key("10.0.0.11:80")}] = {kind, number, "no"};
  CHECK(apply(plan_of_three(), table, no_intent)[0].perhaps_done == perhaps);
  // What could not even be read again was not sent.
  table.unreadable[service_key(vip)] = {ipvs::ErrorKind::timed_out, ETIMEDOUT, "no answer"};
  for (auto const& item : apply(plan_of_three(), table, no_intent))
    CHECK_FALSE(item.perhaps_done);
}

TEST_CASE("apply: a read and one batch stand between the plan and the kernel") {
  ipvs::FakeTable table(table_of_three());
  (void)apply(plan_of_three(), table, no_intent);
  CHECK(table.batches == 1);
  CHECK(table.calls == 1 + 3 + 1);  // read, three writes of the batch, read back
}

TEST_CASE("apply: a service with many changes is read again before each batch") {
  constexpr std::size_t count = 2 * ipvs::batch_limit + 1;
  std::vector<std::pair<std::string, std::uint32_t>> pool;
  Plan plan{{service_key(vip), {}}};
  for (std::size_t i = 0; i < count; ++i) {
    pool.emplace_back("10.0.0." + std::to_string(i + 1) + ":80", 10);
    plan[0].changes.push_back(change(pool.back().first, 10, 20));
  }
  ipvs::FakeTable table({service(vip, "wlc", pool)});
  // Somebody drains the last one while the first batch is written.
  table.after_write = [&](ipvs::FakeTable& kernel) { set(kernel, pool.back().first, 0); };
  auto done = apply(plan, table, no_intent);
  CHECK(table.batches == 2);
  CHECK(table.calls == 3 + 2 * ipvs::batch_limit + 1);
  REQUIRE(done.size() == count);
  CHECK(done.back().result == Applied::Result::changed_meanwhile);
  done.pop_back();
  for (auto const& item : done)
    CHECK(item.result == Applied::Result::written);
  CHECK(table.find(service_key(vip), destination_key(pool.back().first))->weight == 0);
}

TEST_CASE("apply: a dry run writes nothing and answers for everything") {
  auto const done = applied_dry(plan_of_three());
  REQUIRE(done.size() == 3);
  for (auto const& item : done)
    CHECK(item.result == Applied::Result::dry_run);
}
