#include "ipvs/netlink_table.hpp"

#include <linux/genetlink.h>
#include <linux/ip_vs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

using Replies = std::vector<Reply>;
const ServiceKey web = service_key_from_string("tcp:10.9.9.9:80").value();

/// The table that tests/fixtures/ipvs/nat4.hex was captured from. A test replaces the answer to one
/// command, from its first request on or for the first one only.
struct Kernel {
  std::uint16_t family{28};
  std::map<int, std::function<Replies(const Sent&)>> instead{};
  std::map<int, std::function<Replies(const Sent&)>> first{};
  ScriptedKernel::Log log{};
  Fixture table{fixture("nat4")};

  Replies answer(const Sent& sent) {
    const int command = sent.family == GENL_ID_CTRL ? 0 : sent.command;
    if (const auto found = first.find(command); found != first.end()) {
      const auto reply = found->second;
      first.erase(found);
      return reply(sent);
    }
    if (const auto found = instead.find(command); found != instead.end())
      return found->second(sent);
    if (command != 0 && sent.family != family) return {ack(sent.sequence, ENOENT)};
    return usual(command, sent);
  }

  Replies usual(int command, const Sent& sent) const {
    switch (command) {
      case 0:
        return {entry(sent.sequence, CTRL_CMD_NEWFAMILY, nested_id()), ack(sent.sequence)};
      case IPVS_CMD_GET_SERVICE:
        if (sent.dump) return {services(sent), done(sent.sequence)};
        return {services(sent), ack(sent.sequence)};
      case IPVS_CMD_GET_DEST:
        return {destinations(sent), done(sent.sequence)};
      case IPVS_CMD_GET_INFO:
        return {entry(sent.sequence, IPVS_CMD_SET_INFO, table.info), ack(sent.sequence)};
      default:
        return {ack(sent.sequence)};
    }
  }

  [[nodiscard]] Bytes nested_id() const {
    Bytes bytes;
    append_integer(bytes, CTRL_ATTR_FAMILY_ID, family);
    return bytes;
  }

  [[nodiscard]] Bytes services(const Sent& sent) const {
    return entry(sent.sequence, IPVS_CMD_NEW_SERVICE, table.services.at(0));
  }

  [[nodiscard]] Bytes destinations(const Sent& sent, Mark mark = Mark::none) const {
    return entry(sent.sequence, IPVS_CMD_NEW_DEST, table.destinations.at(0), mark) +
           entry(sent.sequence, IPVS_CMD_NEW_DEST, table.destinations.at(1), mark);
  }

  NetlinkTable open() {
    return NetlinkTable(
        std::make_unique<ScriptedKernel>([this](const Sent& sent) { return answer(sent); }, log),
        std::chrono::seconds(1));
  }

  [[nodiscard]] auto count(int command) const {
    return std::count_if(log.sent.begin(), log.sent.end(), [&](const Sent& sent) {
      return sent.family != GENL_ID_CTRL && sent.command == command;
    });
  }

  [[nodiscard]] auto resolutions() const {
    return std::count_if(log.sent.begin(), log.sent.end(),
                         [&](const Sent& sent) { return sent.family == GENL_ID_CTRL; });
  }
};

std::function<Replies(const Sent&)> refuse(int error_number) {
  return [=](const Sent& sent) { return Replies{ack(sent.sequence, error_number)}; };
}

const auto silence = [](const Sent&) { return Replies{}; };

std::vector<std::string> names(const std::vector<Destination>& destinations) {
  std::vector<std::string> result;
  for (const auto& each : destinations)
    result.push_back(string_from_destination_key(each.key));
  return result;
}

}  // namespace

TEST_CASE("netlink table: nothing is sent before the first call") {
  Kernel kernel;
  auto table = kernel.open();
  CHECK(kernel.log.sent.empty());
  CHECK(table.counters() == NetlinkTable::Counters{});
}

TEST_CASE("netlink table: each errno of a read has its kind and keeps its number") {
  const auto [error_number, kind] = GENERATE(table<int, ErrorKind>({
      {EPERM, ErrorKind::no_permission},
      {ESRCH, ErrorKind::no_such_service},
      {ENOMEM, ErrorKind::refused},
      {EOPNOTSUPP, ErrorKind::refused},
      {EBUSY, ErrorKind::refused},
  }));
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_SERVICE] = refuse(error_number);
  auto table = kernel.open();
  const auto error = table.service(web).error();
  CHECK(error.kind == kind);
  CHECK(error.error_number == error_number);
  CHECK(error.message.find('\n') == std::string::npos);
}

TEST_CASE("netlink table: each errno of a write has its kind and keeps its number") {
  const auto [error_number, kind] = GENERATE(table<int, ErrorKind>({
      {EPERM, ErrorKind::no_permission},
      {ESRCH, ErrorKind::no_such_service},
      {ENOENT, ErrorKind::no_such_destination},
      {EINVAL, ErrorKind::refused},
      {ERANGE, ErrorKind::refused},
  }));
  Kernel kernel;
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(error_number);
  auto table = kernel.open();
  const auto read = table.service(web).value();
  const auto error = table.set_weight(web, read.destinations.at(0), 5).error();
  CHECK(error.kind == kind);
  CHECK(error.error_number == error_number);
  CHECK_FALSE(error.perhaps_done);
  CHECK(kernel.count(IPVS_CMD_SET_DEST) == 1);
  CHECK(kernel.count(IPVS_CMD_NEW_DEST) == 0);
}

TEST_CASE("netlink table: messages say what is missing and name it") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(ENOENT);
  CHECK(table.set_weight(web, read.destinations.at(0), 5).error().message ==
        "no such destination: 10.0.0.12:80 in tcp 10.9.9.9:80");
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(ESRCH);
  CHECK(table.set_weight(web, read.destinations.at(0), 5).error().message ==
        "no such service: tcp 10.9.9.9:80 is not in the IPVS table");
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(EPERM);
  const auto rights = table.set_weight(web, read.destinations.at(0), 5).error().message;
  CHECK(rights.find("CAP_NET_ADMIN in the initial user namespace") != std::string::npos);
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(EINVAL);
  CHECK(table.set_weight(web, read.destinations.at(0), 5).error().message ==
        "writing the weight of 10.0.0.12:80 in tcp 10.9.9.9:80 failed: Invalid argument");
}

TEST_CASE("netlink table: a kernel without IPVS is found to have it later") {
  Kernel kernel;
  kernel.first[0] = refuse(ENOENT);
  auto table = kernel.open();
  const auto error = table.services().error();
  CHECK(error.kind == ErrorKind::no_ipvs);
  CHECK(error.message.find("modprobe ip_vs") != std::string::npos);
  CHECK(table.services().value().size() == 1);
}

TEST_CASE("netlink table: a family without an id is malformed") {
  Kernel kernel;
  kernel.instead[0] = [](const Sent& sent) { return Replies{ack(sent.sequence)}; };
  CHECK(kernel.open().services().error().kind == ErrorKind::malformed);
}

TEST_CASE("netlink table: a read after a reload of ip_vs resolves the family again") {
  Kernel kernel;
  auto table = kernel.open();
  REQUIRE(table.services().has_value());
  kernel.family = 29;
  CHECK(table.services().value().at(0).destinations.size() == 2);
  CHECK(kernel.resolutions() == 2);
  REQUIRE(table.services().has_value());
  CHECK(kernel.resolutions() == 2);
}

TEST_CASE("netlink table: a read that stays ENOENT is refused and not repeated for ever") {
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_SERVICE] = refuse(ENOENT);
  const auto error = kernel.open().services().error();
  CHECK(error.kind == ErrorKind::refused);
  CHECK(kernel.count(IPVS_CMD_GET_SERVICE) == 2);
}

TEST_CASE("netlink table: a write after a reload is not repeated on the new table") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  kernel.family = 29;
  const auto error = table.set_weight(web, read.destinations.at(0), 5).error();
  CHECK(error.kind == ErrorKind::no_such_service);
  CHECK(kernel.count(IPVS_CMD_SET_DEST) == 1);
  CHECK(table.service(web).has_value());
}

TEST_CASE("netlink table: a silent kernel is a timeout and the next call starts clean") {
  const auto silent = GENERATE(0, int{IPVS_CMD_GET_SERVICE}, int{IPVS_CMD_GET_DEST});
  Kernel kernel;
  kernel.first[silent] = silence;
  auto table = kernel.open();
  CHECK(table.services().error().kind == ErrorKind::timed_out);
  CHECK(kernel.log.closed == 1);
  CHECK(table.services().has_value());
}

TEST_CASE("netlink table: a late answer to an earlier request is nobody's") {
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_INFO] = [&](const Sent& sent) {
    return Replies{ack(sent.sequence - 1, EPERM), done(sent.sequence - 1),
                   entry(sent.sequence - 1, IPVS_CMD_SET_INFO, {}),
                   entry(sent.sequence, IPVS_CMD_SET_INFO, kernel.table.info) + ack(sent.sequence)};
  };
  CHECK(kernel.open().info().value().connection_table_size == 4096);
}

TEST_CASE("netlink table: sequence numbers start at 1 and never repeat") {
  Kernel kernel;
  auto table = kernel.open();
  REQUIRE(table.services().has_value());
  REQUIRE(table.info().has_value());
  for (std::size_t i = 0; i < kernel.log.sent.size(); ++i) {
    CHECK(kernel.log.sent.at(i).sequence == i + 1);
  }
}

TEST_CASE("netlink table: lost answers make a read repeat") {
  Kernel kernel;
  kernel.first[IPVS_CMD_GET_DEST] = [](const Sent&) { return Replies{ENOBUFS}; };
  auto table = kernel.open();
  CHECK(table.services().value().at(0).destinations.size() == 2);
  CHECK(kernel.count(IPVS_CMD_GET_DEST) == 2);
  kernel.instead[IPVS_CMD_GET_DEST] = [](const Sent&) { return Replies{ENOBUFS}; };
  const auto error = table.services().error();
  CHECK(error.kind == ErrorKind::timed_out);
  CHECK(error.error_number == ENOBUFS);
}

TEST_CASE("netlink table: a write whose answer is lost is not repeated") {
  const auto lost = GENERATE(ENOBUFS, ETIMEDOUT);
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  kernel.instead[IPVS_CMD_SET_DEST] = [=](const Sent&) { return Replies{lost}; };
  const auto error = table.set_weight(web, read.destinations.at(0), 5).error();
  CHECK(error.kind == ErrorKind::timed_out);
  CHECK(error.error_number == lost);
  CHECK(error.perhaps_done);
  CHECK(kernel.count(IPVS_CMD_SET_DEST) == 1);
}

TEST_CASE("netlink table: a write that never went out is not taken for done") {
  const auto failure = GENERATE(ENOBUFS, EMSGSIZE, ECONNREFUSED);
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  kernel.log.refusal = failure;
  const auto error = table.set_weight(web, read.destinations.at(0), 5).error();
  CHECK(error.kind == ErrorKind::refused);
  CHECK(error.error_number == failure);
  CHECK_FALSE(error.perhaps_done);
}

TEST_CASE("netlink table: a write on a family that does not answer is not taken for done") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  auto other = kernel.open();
  kernel.instead[0] = silence;
  const auto error = other.set_weight(web, read.destinations.at(0), 5).error();
  CHECK(error.kind == ErrorKind::timed_out);
  CHECK_FALSE(error.perhaps_done);
  CHECK(kernel.count(IPVS_CMD_SET_DEST) == 0);
}

TEST_CASE("netlink table: a dump marked interrupted is read again and in the end used") {
  const auto times = GENERATE(1, 3, 100);
  int interruptions = times;
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_DEST] = [&](const Sent& sent) {
    const auto mark = interruptions-- > 0 ? Mark::interrupted : Mark::none;
    return Replies{kernel.destinations(sent, mark), done(sent.sequence, mark)};
  };
  auto table = kernel.open();
  CHECK(table.services().value().at(0).destinations.size() == 2);
  CHECK(kernel.count(IPVS_CMD_GET_DEST) == std::min(times + 1, 4));
  CHECK(table.counters().interrupted_dumps == static_cast<std::uint64_t>(std::min(times, 4)));
}

TEST_CASE("netlink table: a malformed entry is read past so that the next call starts clean") {
  Kernel kernel;
  kernel.first[IPVS_CMD_GET_DEST] = [&](const Sent& sent) {
    return Replies{entry(sent.sequence, IPVS_CMD_NEW_DEST, bytes_from_hex("0400")),
                   kernel.destinations(sent), done(sent.sequence)};
  };
  auto table = kernel.open();
  CHECK(table.services().error().kind == ErrorKind::malformed);
  CHECK(kernel.log.closed == 0);
  CHECK(table.services().value().at(0).destinations.size() == 2);
}

TEST_CASE("netlink table: a malformed datagram drops the socket") {
  Kernel kernel;
  kernel.first[IPVS_CMD_GET_DEST] = [](const Sent&) { return Replies{bytes_from_hex("00ff")}; };
  auto table = kernel.open();
  CHECK(table.services().error().kind == ErrorKind::malformed);
  CHECK(kernel.log.closed == 1);
  CHECK(table.services().has_value());
}

TEST_CASE("netlink table: what comes twice in a dump is counted once") {
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_DEST] = [&](const Sent& sent) {
    return Replies{kernel.destinations(sent), kernel.destinations(sent), done(sent.sequence)};
  };
  kernel.first[IPVS_CMD_GET_SERVICE] = [&](const Sent& sent) {
    return Replies{kernel.services(sent), kernel.services(sent), done(sent.sequence)};
  };
  const auto services = kernel.open().services().value();
  REQUIRE(services.size() == 1);
  CHECK(names(services.at(0).destinations) ==
        std::vector<std::string>{"10.0.0.12:80", "10.0.0.11:80"});
}

TEST_CASE("netlink table: an empty dump of destinations is confirmed") {
  Kernel kernel;
  kernel.instead[IPVS_CMD_GET_DEST] = [](const Sent& sent) { return Replies{done(sent.sequence)}; };
  auto table = kernel.open();
  CHECK(table.services().value().at(0).destinations.empty());
  CHECK(kernel.count(IPVS_CMD_GET_SERVICE) == 2);

  // Now the service goes away right after the dump of the services.
  kernel.instead[IPVS_CMD_GET_SERVICE] = [&](const Sent& sent) {
    return sent.dump ? kernel.usual(IPVS_CMD_GET_SERVICE, sent) : refuse(ESRCH)(sent);
  };
  CHECK(table.services().value().empty());
  CHECK(table.service(web).error().kind == ErrorKind::no_such_service);
}

TEST_CASE("netlink table: a dump in one piece needs no confirmation and one in two does") {
  Kernel kernel;
  auto table = kernel.open();
  REQUIRE(table.services().has_value());
  CHECK(kernel.count(IPVS_CMD_GET_SERVICE) == 1);
  kernel.instead[IPVS_CMD_GET_DEST] = [&](const Sent& sent) {
    const auto& both = kernel.table.destinations;
    return Replies{entry(sent.sequence, IPVS_CMD_NEW_DEST, both.at(0)),
                   entry(sent.sequence, IPVS_CMD_NEW_DEST, both.at(1)), done(sent.sequence)};
  };
  REQUIRE(table.services().has_value());
  CHECK(kernel.count(IPVS_CMD_GET_SERVICE) == 3);
}

TEST_CASE("netlink table: an answer about another service is malformed") {
  Kernel kernel;
  const auto other = service_key_from_string("tcp:10.9.9.9:81").value();
  CHECK(kernel.open().service(other).error().kind == ErrorKind::malformed);
}

TEST_CASE("netlink table: the kernel is never asked for a pool that it does not know") {
  Kernel kernel;
  auto table = kernel.open();
  const auto pool = service_key_from_string("pool:web").value();
  CHECK(table.service(pool).error().kind == ErrorKind::no_such_service);
  CHECK(table.set_weight(pool, Destination{}, 1).error().kind == ErrorKind::no_such_service);
  CHECK(kernel.log.sent.empty());
}

TEST_CASE("netlink table: a weight above the limit is never sent") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  const auto requests = table.counters().requests;
  const auto error = table.set_weight(web, read.destinations.at(0), 2147483648U).error();
  CHECK(error.kind == ErrorKind::refused);
  CHECK(error.error_number == ERANGE);
  CHECK(table.set_weight(web, Destination{}, 1).error().kind == ErrorKind::malformed);
  CHECK(table.counters().requests == requests);
}

TEST_CASE("netlink table: a write sends what was read with the weight replaced") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  REQUIRE(table.set_weight(web, read.destinations.at(1), 51).has_value());
  const auto& sent = kernel.log.sent.back();
  CHECK(sent.command == IPVS_CMD_SET_DEST);
  CHECK_FALSE(sent.dump);
  const auto raw = raw_with_weight(nest(kernel.table.destinations.at(1)), 51, Family::inet).value();
  CHECK(sent.attributes == set_destination_request(web, raw));
}

TEST_CASE("netlink table: requests and writes and failures are counted") {
  Kernel kernel;
  auto table = kernel.open();
  const auto read = table.service(web).value();
  REQUIRE(table.set_weight(web, read.destinations.at(0), 5).has_value());
  kernel.instead[IPVS_CMD_SET_DEST] = refuse(ESRCH);
  REQUIRE_FALSE(table.set_weight(web, read.destinations.at(0), 6).has_value());
  CHECK(table.counters() ==
        NetlinkTable::Counters{.requests = 5, .set_destination = 2, .failures = 1});
}
