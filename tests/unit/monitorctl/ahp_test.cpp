// `monitorctl ahp` on the files of tests/golden/ahp: what it prints for each stands beside it.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "monitorctl/ahp_text.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/judgements.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::text_of;

namespace {

const std::string folder = LVS_SOURCE_DIR "/tests/golden/ahp/";

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") result.push_back(entry.path().stem());
  }
  std::ranges::sort(result);
  return result;
}

std::string said(const std::string& name) {
  const auto judgements = judgements_from_yaml(text_of(folder + name + ".yaml"), name + ".yaml");
  if (!judgements) return judgements.error();
  const auto priorities = lvs::loadcalc::priorities(judgements->matrix);
  return ahp_text(judgements->criteria, priorities) + ahp_json(judgements->criteria, priorities) +
         ahp_warning(judgements->criteria, priorities);
}

}  // namespace

TEST_CASE("ahp: every file gives the text beside it") {
  CHECK(names().size() == 9);
  for (const auto& name : names()) {
    INFO(name);
    CHECK(said(name) == golden("ahp/" + name + ".txt"));
  }
}

TEST_CASE("ahp: a file that is not there or has mistakes ends with its own status") {
  const auto missing = run(AhpOptions{folder + "no_such.yaml", OutputFormat::text});
  CHECK(missing.status == exit_status::failure);
  CHECK(missing.err.find("no_such.yaml: No such file or directory") != std::string::npos);
  const auto bad = run(AhpOptions{folder + "bad_shape.yaml", OutputFormat::text});
  CHECK(bad.status == exit_status::bad_file);
  CHECK(bad.out.empty());
}

TEST_CASE("ahp: contradictions are warned of and are no failure") {
  const auto printed = run(AhpOptions{folder + "contradict.yaml", OutputFormat::json});
  CHECK(printed.status == exit_status::ok);
  CHECK(printed.err.find("warning: a consistency ratio of") != std::string::npos);
  CHECK(printed.out.find("\"consistent\":false") != std::string::npos);
  CHECK(run(AhpOptions{folder + "agree.yaml", OutputFormat::text}).err.empty());
}

TEST_CASE("ahp: printed coefficients sum up to 1") {
  const auto text =
      ahp_text({"a", "b", "c"}, lvs::loadcalc::priorities({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}));
  CHECK(text.find("coefficients: {a: 0.3334, b: 0.3333, c: 0.3333}") != std::string::npos);
}
