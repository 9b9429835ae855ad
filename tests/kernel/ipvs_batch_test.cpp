// Weights that are written together, in the real kernel.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "ipvs_table.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;
using lvs::guest::ipvsadm_restore;
using lvs::guest::must;

namespace {

std::string name(std::size_t number) {
  return "10.0.1." + std::to_string(number) + ":80";
}

/// Destinations 1 to `count`, all with weight 10.
void make_service(std::size_t count) {
  std::string rules = "-A -t 10.9.9.9:80 -s wrr\n";
  for (std::size_t number = 1; number <= count; ++number)
    rules += "-a -t 10.9.9.9:80 -r " + name(number) + " -m -w 10 -x 100 -y 60\n";
  ipvsadm_restore(rules);
}

std::vector<WeightWrite> writes_of(const ServiceEntry& entry, std::uint32_t weight) {
  std::vector<WeightWrite> writes;
  for (const auto& destination : entry.destinations)
    writes.push_back({destination, weight});
  return writes;
}

}  // namespace

TEST_CASE("kernel batch: of 40 destinations 39 are written and the one that vanished is gone") {
  make_service(40);
  NetlinkTable table;
  const auto service = key("tcp:10.9.9.9:80");
  const auto read = table.service(service).value();
  must("ipvsadm -d -t 10.9.9.9:80 -r " + name(7));

  const auto writes = writes_of(read, 20);
  REQUIRE(writes.size() == 40);
  std::size_t written = 0;
  std::vector<std::string> gone;
  for (std::span<const WeightWrite> rest(writes); !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), batch_limit));
    const auto results = table.set_weights(service, batch);
    REQUIRE(results.size() == batch.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i]) ++written;
      if (results[i]) continue;
      CHECK(results[i].error().kind == ErrorKind::no_such_destination);
      gone.push_back(string_from_destination_key(batch[i].as_read.key));
    }
    rest = rest.subspan(batch.size());
  }
  CHECK(written == 39);
  CHECK(gone == std::vector{name(7)});

  const auto after = table.service(service).value();
  CHECK(after.destinations.size() == 39);
  for (const auto& destination : after.destinations) {
    CHECK(destination.weight == 20);
    CHECK(destination.upper_threshold == 100);
    CHECK(destination.lower_threshold == 60);
  }
  CHECK(table.counters().set_destination == 40);
}

TEST_CASE("kernel batch: the time between the read and the last ack is told") {
  make_service(batch_limit);
  NetlinkTable table;
  const auto service = key("tcp:10.9.9.9:80");
  for (const std::size_t together : {batch_limit, std::size_t{1}}) {
    std::vector<double> microseconds;
    for (std::uint32_t round = 0; round < 100; ++round) {
      const auto writes = writes_of(table.service(service).value(), 20 + round % 2);
      const auto read = Clock::now();
      for (std::span<const WeightWrite> rest(writes); !rest.empty();
           rest = rest.subspan(together)) {
        for (const auto& result : table.set_weights(service, rest.first(together)))
          REQUIRE(result.has_value());
      }
      const std::chrono::duration<double, std::micro> took = Clock::now() - read;
      microseconds.push_back(took.count());
    }
    std::ranges::sort(microseconds);
    std::cout << batch_limit << " weights, " << together << " a send: median "
              << microseconds[microseconds.size() / 2] << " us, largest " << microseconds.back()
              << " us\n";
  }
}
