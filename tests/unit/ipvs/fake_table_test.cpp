#include <string>

#include "ipvs/fake_table.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;

namespace {

const ServiceKey web = service_key_from_string("tcp:10.9.9.9:80").value();
const ServiceKey absent = service_key_from_string("tcp:10.9.9.9:81").value();

Destination destination(std::string_view key, std::uint32_t weight) {
  return {.key = destination_key_from_string(key).value(), .weight = weight};
}

std::vector<ServiceEntry> two_servers() {
  return {{.service = {.key = web, .scheduler = "wlc"},
           .destinations = {destination("10.0.0.11:80", 10), destination("10.0.0.12:80", 20)}}};
}

}  // namespace

TEST_CASE("fake table: an unknown service or destination is an error and adds nothing") {
  FakeTable table(two_servers());
  CHECK(table.service(absent).error().kind == ErrorKind::no_such_service);
  CHECK(table.set_weight(absent, destination("10.0.0.11:80", 1), 5).error().kind ==
        ErrorKind::no_such_service);
  CHECK(table.set_weight(web, destination("10.0.0.13:80", 1), 5).error().kind ==
        ErrorKind::no_such_destination);
  CHECK(table.written.empty());
  CHECK(table.entries == two_servers());
}

TEST_CASE("fake table: a write is recorded and read back") {
  FakeTable table(two_servers());
  const auto read = table.service(web).value();
  REQUIRE(table.set_weight(web, read.destinations.at(1), 25).has_value());
  CHECK(table.written == std::vector<FakeTable::Written>{{web, read.destinations.at(1).key, 25}});
  CHECK(table.services().value().at(0).destinations.at(1).weight == 25);
  CHECK(table.services().value().at(0).destinations.at(0).weight == 10);
}

TEST_CASE("fake table: a write puts back what its reader saw as SET_DEST does") {
  FakeTable table(two_servers());
  const auto read = table.service(web).value();
  table.find(web, read.destinations.at(0).key)->upper_threshold = 200;
  table.find(web, read.destinations.at(0).key)->active_connections = 7;
  REQUIRE(table.set_weight(web, read.destinations.at(0), 11).has_value());
  CHECK(table.entries.at(0).destinations.at(0).upper_threshold == 0);
  CHECK(table.entries.at(0).destinations.at(0).active_connections == 7);
}

TEST_CASE("fake table: it fails at the call it is told and at no other") {
  const auto at = GENERATE(0U, 1U, 2U);
  FakeTable table(two_servers());
  table.fail_at = at;
  const std::vector<bool> worked{
      table.services().has_value(), table.service(web).has_value(),
      table.set_weight(web, destination("10.0.0.11:80", 10), 5).has_value()};
  for (std::size_t call = 0; call < worked.size(); ++call)
    CHECK(worked.at(call) == (call != at));
  CHECK(table.calls == 3);
}

TEST_CASE("fake table: a batch may fail at any of its writes and does the others") {
  const auto at = GENERATE(0U, 1U);
  FakeTable table(two_servers());
  table.fail_at = at;
  const auto destinations = two_servers().at(0).destinations;
  const std::vector<WeightWrite> writes{{destinations.at(0), 5}, {destinations.at(1), 6}};
  const auto results = table.set_weights(web, writes);
  REQUIRE(results.size() == 2);
  CHECK(results.at(at).error() == table.failure);
  CHECK(results.at(1 - at).has_value());
  CHECK(table.written == std::vector<FakeTable::Written>{
                             {web, destinations.at(1 - at).key, writes.at(1 - at).weight}});
  CHECK(table.calls == 2);
  CHECK(table.batches == 1);
}

TEST_CASE("fake table: it fails for the keys it is told") {
  FakeTable table(two_servers());
  const Error timed_out{ErrorKind::timed_out, 0, "late"};
  table.unreadable[web] = timed_out;
  table.unwritable[{web, destination_key_from_string("10.0.0.11:80").value()}] = timed_out;
  CHECK(table.service(web).error() == timed_out);
  CHECK(table.services().has_value());
  const auto unknown = table.set_weight(web, destination("10.0.0.11:80", 10), 5).error();
  CHECK(unknown.message == timed_out.message);
  CHECK(unknown.perhaps_done);
  CHECK(table.set_weight(web, destination("10.0.0.12:80", 20), 5).has_value());
  table.broken = Error{ErrorKind::no_ipvs, 0, "gone"};
  CHECK(table.services().error().kind == ErrorKind::no_ipvs);
}

TEST_CASE("fake table: a write may be done and its answer lost") {
  FakeTable table(two_servers());
  table.unanswered[{web, destination_key_from_string("10.0.0.11:80").value()}] = {
      ErrorKind::timed_out, 0, "late"};
  const auto read = table.service(web).value();
  CHECK(table.set_weight(web, read.destinations.at(0), 5).error().kind == ErrorKind::timed_out);
  CHECK(table.service(web).value().destinations.at(0).weight == 5);
}

TEST_CASE("fake table: somebody else can act between read and write and read-back") {
  FakeTable table(two_servers());
  const auto set = [](std::uint32_t weight) {
    return [weight](FakeTable& kernel) { kernel.entries.at(0).destinations.at(0).weight = weight; };
  };
  table.after_read = set(0);
  const auto read = table.service(web).value();
  CHECK(read.destinations.at(0).weight == 10);  // what was read before the other acted
  CHECK(table.entries.at(0).destinations.at(0).weight == 0);
  table.after_read = nullptr;
  table.after_write = set(77);
  REQUIRE(table.set_weight(web, read.destinations.at(0), 11).has_value());
  CHECK(table.service(web).value().destinations.at(0).weight == 77);
  table.before_write = [](FakeTable& kernel) { kernel.entries.clear(); };
  CHECK(table.set_weight(web, read.destinations.at(0), 12).error().kind ==
        ErrorKind::no_such_service);
}
