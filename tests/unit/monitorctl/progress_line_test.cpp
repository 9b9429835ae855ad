#include "monitorctl/progress_line.hpp"

#include <string>

#include "support/catch.hpp"

using namespace lvs::monitorctl;
using namespace std::chrono_literals;

TEST_CASE("progress: share, amount and the time that is left") {
  CHECK(progress_text({0, 28, "runs", 0s}, 79) == "  0 % [                    ] 0 of 28 runs");
  CHECK(progress_text({12, 28, "runs", 30s}, 79) ==
        " 42 % [########            ] 12 of 28 runs, 0:40 left");
  CHECK(progress_text({28, 28, "runs", 70s}, 79) == "100 % [####################] 28 of 28 runs");
  CHECK(progress_text({1'500'000, 6'000'000, "MB", 30min}, 79) ==
        " 25 % [#####               ] 1.5 of 6.0 MB, 1:30:00 left");
  CHECK(progress_text({1, 1'000'000'000, "MB", 1h}, 79) ==
        "  0 % [                    ] 0.0 of 1000.0 MB");
}

TEST_CASE("progress: a file that grows meanwhile is never more than whole") {
  CHECK(progress_text({9, 8, "runs", 1s}, 79) == "100 % [####################] 9 of 8 runs");
}

TEST_CASE("progress: where the end is not known there is no share") {
  CHECK(progress_text({1'500'000, 0, "MB", 61s}, 79) == "1.5 MB, 1:01");
}

TEST_CASE("progress: no line is wider than the terminal") {
  CHECK(progress_text({12, 28, "runs", 30s}, 20) == " 42 % [########     ");
  CHECK(progress_text({12, 28, "runs", 30s}, 0).empty());
}

TEST_CASE("progress: short work leaves no trace") {
  ProgressLine line(28, "runs", 79);
  CHECK(line.reached(1, 0ms).empty());
  CHECK(line.reached(28, 299ms).empty());
  CHECK(line.erased().empty());
}

TEST_CASE("progress: long work is shown ten times a second and taken away at the end") {
  ProgressLine line(28, "runs", 79);
  CHECK(line.reached(1, 300ms).starts_with("\r  3 % ["));
  CHECK(line.reached(2, 399ms).empty());
  const auto second = line.reached(3, 400ms);
  CHECK(second.starts_with("\r 10 % ["));
  CHECK(second.ends_with("\033[K"));
  CHECK(line.erased() == "\r\033[K");
  CHECK(line.erased().empty());
  CHECK_FALSE(line.reached(4, 500ms).empty());
}
