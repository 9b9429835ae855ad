#include "loadcalc/response.hpp"

#include <vector>

#include "support/catch.hpp"
#include "unit/loadcalc/pools.hpp"

namespace {

using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::response_targets;
using lvs::loadcalc::ResponseParameters;
using lvs::loadcalc::testing::pool_of;

Member member_with(double cpu, double response_s) {
  Member member;
  member.base = member.current = 10;
  member.measures = Measures{cpu, 0.5};
  member.further.network_utilisation = 0.2;
  member.further.disk_utilisation = 0.1;
  member.further.response_s = response_s;
  return member;
}

TEST_CASE("response: the remaining load is the weighted sum of what is left") {
  auto const targets = response_targets(pool_of({member_with(0.4, 0.02)}), {});
  CHECK(targets[0].score.value() ==
        Approx(0.5223 * 0.6 + 0.1998 * 0.5 + 0.1998 * 0.8 + 0.0781 * 0.9));
}

TEST_CASE("response: unknown utilisations leave the sum to the others") {
  auto pool = pool_of({member_with(0.4, 0.02)});
  pool.members[0].further.network_utilisation.reset();
  pool.members[0].further.disk_utilisation.reset();
  CHECK(response_targets(pool, {})[0].score.value() ==
        Approx((0.5223 * 0.6 + 0.1998 * 0.5) / (0.5223 + 0.1998)));
}

TEST_CASE("response: a light server is raised and a heavy one is not") {
  // Both have the same load left, far more than their weights ask for.
  auto pool = pool_of({member_with(0.3, 0.01), member_with(0.3, 0.03)});
  auto targets = response_targets(pool, {});
  CHECK(targets[0].note == "light");
  CHECK(targets[0].weight == Approx(10 * (0.5 + 0.5 * 2)));
  CHECK(targets[1].note == "heavy: not raised");
  CHECK(targets[1].weight == Approx(10 * (0.5 + 0.5 * 2.0 / 3)));

  pool.members[1].standing = 4;
  pool.members[0].standing = 10;
  targets = response_targets(pool, {});
  CHECK(targets[1].weight == 4);

  pool.members[1].further.response_s = 0.001;  // light now: raised at once
  CHECK(response_targets(pool, {})[1].weight > 10);
}

TEST_CASE("response: equal response times are light for everybody") {
  for (auto const& target :
       response_targets(pool_of({member_with(0.3, 0.02), member_with(0.6, 0.02)}), {})) {
    CHECK(target.note == "light");
  }
}

TEST_CASE("response: one odd probe does not take the pool over") {
  auto const targets =
      response_targets(pool_of({member_with(0.3, 1e-6), member_with(0.3, 10)}), {});
  CHECK(targets[0].weight == Approx(10 * (0.5 + 0.5 * 4)));
  CHECK(targets[1].weight == Approx(10 * (0.5 + 0.5 * 10 / 2 / 10)));
}

TEST_CASE("response: without probes the remaining load alone speaks") {
  auto pool = pool_of({member_with(0.2, 0.01), member_with(0.8, 0.01)});
  for (auto& member : pool.members)
    member.further.response_s.reset();
  auto const targets = response_targets(pool, {});
  CHECK(targets[0].weight / targets[1].weight ==
        Approx(targets[0].score.value() / targets[1].score.value()));
  CHECK(targets[0].note.empty());

  pool.members[0].further.response_s = 0.0;  // no time at all is no measurement
  CHECK(response_targets(pool, {})[0].weight == Approx(targets[0].weight));
}

TEST_CASE("response: load_share chooses between load and response time") {
  auto const pool = pool_of({member_with(0.2, 0.03), member_with(0.8, 0.01)});
  ResponseParameters only_load;
  only_load.load_share = 1;
  ResponseParameters only_time;
  only_time.load_share = 0;
  CHECK(response_targets(pool, only_load)[0].weight > response_targets(pool, only_load)[1].weight);
  CHECK(response_targets(pool, only_time)[0].weight < response_targets(pool, only_time)[1].weight);
}

}  // namespace
