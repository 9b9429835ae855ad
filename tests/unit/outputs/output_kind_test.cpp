#include "monitord/outputs/output_kind.hpp"

#include <chrono>
#include <set>
#include <string_view>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("output: what no output is called names none") {
  CHECK_FALSE(output_from_name("").has_value());
  CHECK_FALSE(output_from_name("HAProxy").has_value());
}

TEST_CASE("output: each has a name of its own and says what it can do") {
  std::set<std::string_view> names;
  for (auto const& output : outputs()) {
    CAPTURE(output.name);
    CHECK(names.insert(output.name).second);
    CHECK(output_from_name(output.name) == output.kind);
    CHECK(name_of_output(output.kind) == output.name);
    CHECK(&traits_of(output.kind) == &output);
    CHECK(output.can.range.min == 1);  // a healthy server is never below it
    CHECK(output.can.range.max >= 100);
    CHECK(output.can.smallest_interval >= 0s);
  }
  CHECK(names == std::set<std::string_view>{"dns", "haproxy", "ipvs", "keepalived", "nginx"});
}

TEST_CASE("output: the port says what the table says") {
  RecordingOutput const output(OutputKind::haproxy);
  CHECK(output.capabilities().range.max == 256);
  CHECK(output.capabilities().allows_zero);
  CHECK(&output.capabilities() == &traits_of(OutputKind::haproxy).can);
}
