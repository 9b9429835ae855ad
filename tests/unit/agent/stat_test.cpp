#include <cstddef>
#include <string>
#include <string_view>

#include "realserver-agent/proc/stat.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;

namespace {

constexpr std::string_view two_cpus =
    "cpu  30 0 12 200 20 0 0 0 0 0\n"
    "cpu0 10 1 2 100 10 3 4 5 9 9\n"
    "cpu3 20 0 10 100 10 0 0 0 0 0\n"
    "intr 17 1 2 3\n"
    "ctxt 5\n"
    "procs_running 2\n"
    "procs_blocked 1\n"
    "softirq 1 2 3\n";

}  // namespace

TEST_CASE("stat: text that is not /proc/stat is refused") {
  const auto text = GENERATE(values<std::string>({
      "",
      "\n",
      "intr 1 2 3\n",
      "cpu0\n",
      "cpu0 1 2 3\n",
      "cpu0 1 2 x 4\n",
      "cpu0 1 2 -3 4\n",
      "cpu0 1 2 3 18446744073709551616\n",
      "cpux 1 2 3 4\n",
      "cpu99999 1 2 3 4\n",
      "cpu0 1 2 3 4\ncpu0 1 2 3 4\n",
      "cpu0 " + std::string(300, '1') + "\n",
  }));
  CAPTURE(text);
  CHECK_FALSE(stat_from_text(text));
}

TEST_CASE("stat: an error quotes the offending line") {
  CHECK(string_from_parse_error(stat_from_text("cpu0 1 2 x 4\n").error()) ==
        "/proc/stat: no line of a CPU: \"cpu0 1 2 x 4\"");
}

TEST_CASE("stat: cpuN lines count and the summary does not") {
  const auto stat = stat_from_text(two_cpus);
  REQUIRE(stat);
  CHECK(stat->cpus.size() == 2);
  CHECK(stat->cpus.at(0) == CpuTicks{10, 1, 2, 100, 10, 3, 4, 5});
  CHECK(stat->cpus.at(3).user == 20);
  CHECK(stat->procs_running == 2U);
  CHECK(stat->procs_blocked == 1U);
}

TEST_CASE("stat: the summary counts where it is all there is") {
  const auto stat = stat_from_text("cpu  30 0 12 200\n");
  REQUIRE(stat);
  CHECK(stat->cpus.at(all_cpus) == CpuTicks{.user = 30, .system = 12, .idle = 200});
  CHECK_FALSE(stat->procs_running.has_value());
}

TEST_CASE("stat: values above 2^63 are numbers") {
  const auto stat = stat_from_text("cpu0 1 0 0 18446744073709551615");
  REQUIRE(stat);
  CHECK(stat->cpus.at(0).idle == 18446744073709551615U);
}

TEST_CASE("stat: pieces of any size give the same") {
  const auto whole = stat_from_text(two_cpus);
  REQUIRE(whole);
  for (std::size_t size = 1; size <= two_cpus.size(); ++size) {
    StatScanner scanner;
    for (std::size_t at = 0; at < two_cpus.size(); at += size) {
      if (!scanner.feed(two_cpus.substr(at, size))) break;
    }
    CHECK(scanner.finish() == whole);
  }
}

TEST_CASE("stat: reading stops behind the last line that is needed") {
  StatScanner scanner;
  CHECK(scanner.feed("cpu0 1 2 3 4\nprocs_running 1\n"));
  CHECK_FALSE(scanner.feed("procs_blocked 0\nsoftirq 1\n"));
  StatScanner broken;
  CHECK_FALSE(broken.feed("cpu0 1 2 3\n"));
}

TEST_CASE("stat: a very long line is passed over without being kept") {
  StatScanner scanner;
  scanner.feed("cpu0 1 2 3 4\nintr 1");
  const std::string zeros = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i)
      text += " 0";
    return text;
  }();
  for (int i = 0; i < 3000; ++i)
    scanner.feed(zeros);
  CHECK(scanner.held() < 1024);
  scanner.feed("\nprocs_running 7\nprocs_blocked 8\n");
  const auto stat = scanner.finish();
  REQUIRE(stat);
  CHECK(stat->cpus.at(0).idle == 4);
  CHECK(stat->procs_running == 7U);
}
