#include "monitord/poll_schedule.hpp"

#include <rapidcheck.h>

#include <chrono>
#include <map>
#include <vector>

#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::ipvs::IpAddress;
using lvs::monitord::testing::address;

namespace {

std::vector<DuePoll> due(PollSchedule& schedule, Moment now) {
  std::vector<DuePoll> steps;
  schedule.due(now, steps);
  return steps;
}

std::vector<PollStep> steps_for(const IpAddress& server, const std::vector<DuePoll>& due) {
  std::vector<PollStep> steps;
  for (auto const& poll : due) {
    if (poll.server == server) steps.push_back(poll.step);
  }
  return steps;
}

const IpAddress web1 = address("10.0.0.11");
const IpAddress web2 = address("10.0.0.12");
constexpr Moment start = 1000s;

}  // namespace

TEST_CASE("schedule: nothing is due before a cycle begins") {
  PollSchedule schedule(2s, 500ms);
  CHECK_FALSE(schedule.next().has_value());
  CHECK(due(schedule, start).empty());
  schedule.begin_cycle(start, {});
  CHECK_FALSE(schedule.next().has_value());
}

TEST_CASE("schedule: questions are spread over the interval") {
  PollSchedule schedule(2s, 500ms);
  schedule.begin_cycle(start, std::vector{web1, web2});
  CHECK(schedule.next() == start);
  CHECK(due(schedule, start) == std::vector{DuePoll{web1, PollStep::ask, 1}});
  schedule.answered(web1, 1);
  CHECK(due(schedule, start + 999ms).empty());
  CHECK(due(schedule, start + 1s) == std::vector{DuePoll{web2, PollStep::ask, 2}});
}

TEST_CASE("schedule: a silent server is asked twice and given up at the deadline") {
  PollSchedule schedule(2s, 500ms);
  schedule.begin_cycle(start, std::vector{web1});
  CHECK(due(schedule, start).size() == 1);
  CHECK(schedule.next() == start + 250ms);
  CHECK(due(schedule, start + 249ms).empty());
  CHECK(due(schedule, start + 250ms) == std::vector{DuePoll{web1, PollStep::ask_again, 1}});
  CHECK(due(schedule, start + 499ms).empty());
  CHECK(due(schedule, start + 500ms) == std::vector{DuePoll{web1, PollStep::give_up, 1}});
  CHECK(due(schedule, start + 10s).empty());
}

TEST_CASE("schedule: a reply ends the question but not a later one") {
  PollSchedule schedule(2s, 500ms);
  schedule.begin_cycle(start, std::vector{web1});
  CHECK(due(schedule, start).size() == 1);
  CHECK(due(schedule, start + 600ms).size() == 2);

  schedule.begin_cycle(start + 2s, std::vector{web1});
  CHECK(due(schedule, start + 2s) == std::vector{DuePoll{web1, PollStep::ask, 2}});
  schedule.answered(web1, 1);
  CHECK(due(schedule, start + 2250ms) == std::vector{DuePoll{web1, PollStep::ask_again, 2}});
  schedule.answered(web1, 2);
  CHECK(due(schedule, start + 4s).empty());
}

TEST_CASE("schedule: a loop that wakes late asks once and waits for the answer") {
  PollSchedule schedule(2s, 500ms);
  schedule.begin_cycle(start, std::vector{web1});
  auto const late = start + 10s;
  CHECK(due(schedule, late) == std::vector{DuePoll{web1, PollStep::ask, 1}});
  CHECK(schedule.next() == late + 250ms);
}

TEST_CASE("schedule: a question that is due again is given up first") {
  PollSchedule schedule(2s, 5s);
  schedule.begin_cycle(start, std::vector{web1});
  CHECK(due(schedule, start).size() == 1);
  schedule.begin_cycle(start + 2s, std::vector{web1});
  CHECK(due(schedule, start + 2s) ==
        std::vector{DuePoll{web1, PollStep::give_up, 1}, DuePoll{web1, PollStep::ask, 2}});
}

TEST_CASE("schedule: nobody's silence moves anybody's question") {
  REQUIRE(rc::check("each server is asked once a cycle at the same moment", [] {
    auto const count = *rc::gen::inRange<std::uint8_t>(1, 40);
    std::vector<IpAddress> servers;
    for (std::uint8_t i = 0; i < count; ++i) {
      auto server = web1;
      server.bytes[3] = i;
      servers.push_back(server);
    }
    PollSchedule all_answer(2s, 500ms);
    PollSchedule some_answer(2s, 500ms);
    std::map<IpAddress, std::vector<Moment>> asked_of_all;
    std::map<IpAddress, std::vector<Moment>> asked_of_some;
    for (Moment now = start; now < start + 6s; now += 10ms) {
      if ((now - start) % 2s == 0s) {
        all_answer.begin_cycle(now, servers);
        some_answer.begin_cycle(now, servers);
      }
      for (auto const& poll : due(all_answer, now)) {
        RC_ASSERT(poll.step == PollStep::ask);
        asked_of_all[poll.server].push_back(now);
        all_answer.answered(poll.server, poll.round);
      }
      for (auto const& poll : due(some_answer, now)) {
        if (poll.step == PollStep::ask) asked_of_some[poll.server].push_back(now);
        if (*rc::gen::arbitrary<bool>()) some_answer.answered(poll.server, poll.round);
      }
    }
    RC_ASSERT(asked_of_all == asked_of_some);
    for (auto const& [server, moments] : asked_of_all)
      RC_ASSERT(moments.size() == 3);
  }));
}

TEST_CASE("schedule: steps of a silent server come in order") {
  PollSchedule schedule(2s, 500ms);
  schedule.begin_cycle(start, std::vector{web1, web2});
  std::vector<PollStep> seen;
  for (Moment now = start; now < start + 2s; now += 50ms) {
    for (auto const step : steps_for(web2, due(schedule, now)))
      seen.push_back(step);
  }
  CHECK(seen == std::vector{PollStep::ask, PollStep::ask_again, PollStep::give_up});
}
