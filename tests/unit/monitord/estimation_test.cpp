#include "monitord/estimation.hpp"

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using lvs::testing::ScratchFolder;

TEST_CASE("estimation: counters run when both settings say so") {
  auto const [run, cpus, expected] = GENERATE(table<std::string, std::string, bool>({
      {"1\n", "none", true},
      {"0\n", "none", false},
      {"", "none", false},
      {"1\n", "0-3\n", true},
      {"1\n", "\n", false},
      {"0\n", "0-3\n", false},
  }));
  ScratchFolder const folder;
  folder.write("run_estimation", run);
  if (cpus != "none") folder.write("est_cpulist", cpus);
  CHECK(counters_run(folder.path()) == expected);
}

TEST_CASE("estimation: where nothing can be read nothing is promised") {
  ScratchFolder const folder;
  CHECK_FALSE(counters_run(folder.path()));
  CHECK_FALSE(counters_run(folder.file("none")));
}
