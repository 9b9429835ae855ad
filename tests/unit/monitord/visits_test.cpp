// Places on the control socket: who may only look never takes those of who has to act.

#include "monitord/visits.hpp"

#include "support/catch.hpp"

using namespace lvs::monitord;

namespace {

constexpr uid_t root = 0;
constexpr uid_t own = 990;

/// As many as are admitted, up to 100.
std::size_t filled(Visits& visits, Visits::User user) {
  std::size_t count = 0;
  for (; count < 100 && !visits.full() && visits.admits(user); ++count)
    visits.begin(user);
  return count;
}

}  // namespace

TEST_CASE("visits: a user has eight, and root and monitord's own the rest") {
  Visits visits(own);
  CHECK(filled(visits, 1000) == 8);
  CHECK(filled(visits, {}) == 8);
  CHECK(filled(visits, 1001) == 8);
  CHECK(filled(visits, 1002) == 0);  // of all others together
  CHECK(filled(visits, own) == 8);
  CHECK(visits.full());
}

TEST_CASE("visits: root may take every place") {
  Visits visits(own);
  CHECK(filled(visits, GENERATE(root, own)) == 32);
}

TEST_CASE("visits: a place is free again after a visit") {
  Visits visits(own);
  CHECK(filled(visits, 1000) == 8);
  visits.end(1000);
  CHECK(visits.admits(1000));
  CHECK(filled(visits, 1000) == 1);
  for (int i = 0; i < 8; ++i)
    visits.end(1000);
  CHECK(filled(visits, 1001) == 8);
  CHECK(filled(visits, root) == 24);
  visits.end(root);
  CHECK_FALSE(visits.full());
}
