// `realserver-agent drain` and `ready`: what they do, say, and refuse.

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "realserver-agent/drain_file.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs::agent;

namespace {

bool says(const DrainAnswer& answer, const std::string& part) {
  return answer.text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("drain: the file comes and goes, and twice is as good as once") {
  const lvs::testing::ScratchFolder tree;
  const std::string file = tree.file("drain");
  CHECK(remove_drain_file(file).done);
  CHECK(says(remove_drain_file(file), "there is no " + file));
  const auto made = make_drain_file(file);
  CHECK(made.done);
  CHECK(says(made, "made " + file));
  CHECK(says(made, "realserver-agent ready"));
  CHECK(std::filesystem::is_regular_file(file));
  CHECK(make_drain_file(file).done);
  CHECK(says(make_drain_file(file), "already"));
  CHECK(says(remove_drain_file(file), "removed " + file));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("drain: a link in its place is not followed") {
  const lvs::testing::ScratchFolder tree;
  std::filesystem::create_symlink(tree.file("elsewhere"), tree.file("drain"));
  CHECK(make_drain_file(tree.file("drain")).done);
  CHECK_FALSE(std::filesystem::exists(tree.file("elsewhere")));
}

TEST_CASE("drain: what cannot be done comes with what to do") {
  const lvs::testing::ScratchFolder tree;
  const auto nowhere = make_drain_file(tree.file("none/drain"));
  CHECK_FALSE(nowhere.done);
  CHECK(says(nowhere, "make its folder first"));
  std::filesystem::create_directory(tree.file("folder"));
  CHECK_FALSE(remove_drain_file(tree.file("folder")).done);
  tree.write("drain", "");
  REQUIRE(::chmod(tree.path().c_str(), 0555) == 0);
  const lvs::testing::WithoutRoot stepped_down;
  CHECK(says(make_drain_file(tree.file("other")), "run it as root"));
  CHECK(says(remove_drain_file(tree.file("drain")), "run it as root"));
}
