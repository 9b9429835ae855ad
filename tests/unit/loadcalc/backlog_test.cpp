#include "loadcalc/backlog.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace {

using lvs::loadcalc::backlogs;
using lvs::loadcalc::Queue;
using lvs::loadcalc::shares_beside_backlogs;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_CASE("backlog: nobody waits where all have the same for their capacity") {
  CHECK(backlogs({}, 0.5).empty());
  std::vector<Queue> const queues{{1, 100, 50}, {2, 200, 100}, {4, 400, 200}};
  CHECK(backlogs(queues, 0.5) == std::vector<double>{0, 0, 0});
}

TEST_CASE("backlog: what is above the median server counts whole once it is beyond chance") {
  // Usual for 100 per cycle: 10. Tolerated: half a cycle of work, 50 more.
  CHECK(backlogs(std::vector<Queue>{{1, 100, 59}, {1, 100, 10}, {1, 100, 10}}, 0.5)[0] == 0);
  CHECK(backlogs(std::vector<Queue>{{1, 100, 61}, {1, 100, 10}, {1, 100, 10}}, 0.5)[0] == 51);
  // Few long connections scatter: usual 36, three times their square root is 18.
  CHECK(backlogs(std::vector<Queue>{{1, 4, 53}, {1, 4, 36}, {1, 4, 36}}, 0.5)[0] == 0);
  CHECK(backlogs(std::vector<Queue>{{1, 4, 55}, {1, 4, 36}, {1, 4, 36}}, 0.5)[0] == 19);
}

TEST_CASE("backlog: arrivals are dealt so that all are done at the same time") {
  std::vector<Queue> const queues{{1, 200, 150}, {1, 200, 0}};
  auto const shares = shares_beside_backlogs(queues, std::vector<double>{150, 0}, {170, 5, 0.05});
  // (850 + 150) / 2 = 500 for each, of which 150 wait on the first already.
  CHECK(shares[0] / shares[1] == Approx(350.0 / 500));
  CHECK(sum(shares) == Approx(2));
}

TEST_CASE("backlog: a drowned server keeps the floor of its share") {
  std::vector<Queue> const queues{{1, 100, 9000}, {1, 500, 0}};
  auto const shares = shares_beside_backlogs(queues, std::vector<double>{9000, 0}, {250, 4, 0.05});
  CHECK(shares[0] == Approx(0.05));
  CHECK(shares[1] == Approx(1.95));
}

TEST_CASE("backlog: without arrivals or backlogs the shares are what they were") {
  std::vector<Queue> const queues{{1, 100, 0}, {3, 300, 0}};
  CHECK(shares_beside_backlogs(queues, std::vector<double>{7, 0}, {0, 3, 0.05}) ==
        std::vector<double>{1, 3});
  CHECK(shares_beside_backlogs(queues, std::vector<double>{0, 0}, {330, 3, 0.05}) ==
        std::vector<double>{1, 3});
}

TEST_CASE("backlog: nobody is dealt more than it can take while others can") {
  std::vector<Queue> const queues{{3, 100, 0}, {1, 300, 0}};
  std::vector<double> const none{0, 0};
  auto const shares = shares_beside_backlogs(queues, none, {200, 3, 0.05});
  CHECK(shares[0] == Approx(2));  // 100 of 200 a cycle, not 150
  CHECK(shares[1] == Approx(2));
  // Fuller than 10/11: a tenth more than its part of the whole.
  auto const full = shares_beside_backlogs(queues, none, {400, 3, 0.05});
  CHECK(full[0] == Approx(1.1));
  CHECK(full[1] == Approx(2.9));
  CHECK(sum(shares_beside_backlogs(queues, none, {4000, 3, 0.05})) == Approx(4));
}

TEST_CASE("backlog: where nobody can take what waits the capacities decide") {
  std::vector<Queue> const queues{{3, 100, 200}, {1, 300, 600}};
  auto const shares = shares_beside_backlogs(queues, std::vector<double>{200, 600}, {200, 3, 0.05});
  CHECK(shares[0] == Approx(1));
  CHECK(shares[1] == Approx(3));
}
