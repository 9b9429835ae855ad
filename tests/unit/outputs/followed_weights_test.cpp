#include "monitord/outputs/followed_weights.hpp"

#include <chrono>
#include <cstdint>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const DestinationId web1{service_key("tcp 10.9.9.9:80"), destination_key("10.0.0.11:80")};

/// What is shown where the kernel has `weight`.
std::uint32_t shown(FollowedWeights& followed, std::uint32_t weight, Moment now) {
  auto entry = service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", weight}});
  followed.show(entry, now);
  return entry.destinations.front().weight;
}

constexpr auto within = FollowedWeights::patience - 1ns;
constexpr auto beyond = FollowedWeights::patience;

}  // namespace

TEST_CASE("followed weights: what nobody wrote is shown as it is") {
  FollowedWeights followed;
  CHECK(shown(followed, 10, 1s) == 10);
  CHECK(shown(followed, 0, 1s) == 0);
  CHECK(followed.notes().empty());
}

TEST_CASE("followed weights: a weight on its way is there already") {
  FollowedWeights followed;
  followed.wrote(web1, 10, 4, 0s);
  CHECK(shown(followed, 10, within) == 4);
  CHECK(shown(followed, 4, within) == 4);
  CHECK(shown(followed, 10, within) == 10);  // once it was there, the old one is somebody's edit
  CHECK(followed.notes().empty());
}

TEST_CASE("followed weights: a 0 of somebody else's is seen at once") {
  FollowedWeights followed;
  followed.wrote(web1, 10, 4, 0s);
  CHECK(shown(followed, 0, 1s) == 0);
  CHECK(shown(followed, 10, 1s) == 10);
}

TEST_CASE("followed weights: another weight is somebody's edit") {
  FollowedWeights followed;
  followed.wrote(web1, 10, 4, 0s);
  CHECK(shown(followed, 55, 1s) == 55);
}

TEST_CASE("followed weights: the end of an own 0 is on its way as well") {
  FollowedWeights followed;
  followed.wrote(web1, 0, 10, 0s);
  CHECK(shown(followed, 0, 1s) == 10);
  CHECK(shown(followed, 10, 2s) == 10);
}

TEST_CASE("followed weights: of two writes in a row the kernel may show either weight before") {
  FollowedWeights followed;
  followed.wrote(web1, 10, 4, 0s);
  followed.wrote(web1, 4, 6, 2s);
  CHECK(shown(followed, 10, 3s) == 6);
  CHECK(shown(followed, 4, 3s) == 6);
  CHECK(shown(followed, 6, 3s) == 6);
}

TEST_CASE("followed weights: who does not follow is named until he has") {
  FollowedWeights followed;
  followed.wrote(web1, 10, 4, 0s);
  CHECK(shown(followed, 10, beyond) == 10);
  auto const notes = followed.notes();
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("10.0.0.11:80 of tcp 10.9.9.9:80: keepalived did not take weight 4"));
  CHECK(shown(followed, 10, beyond + 1s) == 10);
  CHECK(followed.notes() == notes);
  CHECK(shown(followed, 4, beyond + 2s) == 4);
  CHECK(followed.notes().empty());
}

TEST_CASE("followed weights: any number of writes keeps a bounded past") {
  FollowedWeights followed;
  for (std::uint32_t weight = 1; weight < 1000; ++weight)
    followed.wrote(web1, weight - 1, weight, 0s);
  CHECK(shown(followed, 998, 1s) == 999);
  CHECK(shown(followed, 1, 1s) == 1);
}
