#include "monitord/instance_lock.hpp"

#include <unistd.h>

#include <string>

#include "support/catch.hpp"

using lvs::monitord::InstanceLock;

TEST_CASE("instance lock: the second one learns the first one's pid") {
  auto const name = "monitord-test-" + std::to_string(::getpid());
  {
    auto first = InstanceLock::acquire(name);
    REQUIRE(first.has_value());
    // More askers than the queue holds; the holder drops them as it goes.
    for (int i = 0; i < 40; ++i) {
      auto const second = InstanceLock::acquire(name);
      REQUIRE_FALSE(second.has_value());
      REQUIRE(second.error().find("pid " + std::to_string(::getpid())) != std::string::npos);
      first->drain();
    }
    CHECK(InstanceLock::acquire(name + "-other").has_value());
  }
  CHECK(InstanceLock::acquire(name).has_value());
}

TEST_CASE("instance lock: with a full queue the refusal stands without a pid") {
  auto const name = "monitord-test-full-" + std::to_string(::getpid());
  auto const first = InstanceLock::acquire(name);
  REQUIRE(first.has_value());
  std::string last;
  for (int i = 0; i < 40; ++i) {
    auto const second = InstanceLock::acquire(name);
    REQUIRE_FALSE(second.has_value());
    last = second.error();
  }
  CHECK(last.find("another monitord") == 0);
}
