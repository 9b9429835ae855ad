#include "monitord/publisher.hpp"

#include <string>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using lvs::testing::ScratchFolder;

TEST_CASE("publisher: history and events grow whether or not a page is served") {
  Publisher publisher({});
  publisher.event(1, {LogLevel::info, "order", {}});
  publisher.publish(std::make_shared<const CycleReport>(report(1)), {});
  publisher.publish(std::make_shared<const CycleReport>(report(2)), {});
  CHECK(publisher.history().frames().size() == 2);
  CHECK(publisher.history().events().size() == 1);
  CHECK(publisher.problem().empty());
}

TEST_CASE("publisher: what cannot be served is a problem until it can") {
  ScratchFolder const folder;
  const auto file = folder.write("file", "in the way");
  Publisher publisher({});
  publisher.serve({file, {}});
  CHECK(publisher.problem().find("no status page at " + file) == 0);
  publisher.publish(std::make_shared<const CycleReport>(report(1)), {});
  publisher.serve({folder.file("http.sock"), {}});
  CHECK(publisher.problem().empty());
  publisher.serve({"", {}});
  CHECK(publisher.problem().empty());
}
