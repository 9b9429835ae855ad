// What a verdict knows of a destination, beside what was decided about it.

#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

Director two_services() {
  Director director;
  director.table = {service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}}),
                    service("tcp:10.9.9.9:81", "wlc", {{"10.0.0.11:81", 10}})};
  director.report("10.0.0.11", 0.5, 0.5);
  return director;
}

}  // namespace

TEST_CASE("seat: what the agent says beyond C and M is in each of its destinations' verdicts") {
  auto director = two_services();
  auto& reading = director.readings.at(address("10.0.0.11"));
  reading.further.network_utilisation = 0.25;
  reading.further.processes = 214;
  auto const decision = director.decided();
  CHECK(verdict_of(decision, "10.0.0.11:80").further == reading.further);
  CHECK(verdict_of(decision, "10.0.0.11:81").further == reading.further);
  CHECK(verdict_of(decision, "10.0.0.12:80").further == loadcalc::FurtherMeasures{});
}

TEST_CASE("seat: a response time belongs to one destination of one service and needs no reading") {
  auto const director = two_services();
  ResponseTimes const responses{
      {{service_key("tcp:10.9.9.9:80"), destination_key("10.0.0.11:80")}, 0.004},
      {{service_key("tcp:10.9.9.9:80"), destination_key("10.0.0.12:80")}, 0.012},
      {{service_key("tcp:10.9.9.9:80"), destination_key("10.0.0.11:81")}, 7},
  };
  auto const decision =
      decide(director.state, {director.now, director.table, director.readings, responses},
             director.config);
  CHECK(verdict_of(decision, "10.0.0.11:80").further.response_s == 0.004);
  CHECK(verdict_of(decision, "10.0.0.12:80").further.response_s == 0.012);
  CHECK_FALSE(verdict_of(decision, "10.0.0.11:81").further.response_s.has_value());
}
