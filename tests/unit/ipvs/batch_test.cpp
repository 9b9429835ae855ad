// Weights of one service that are written together.

#include <linux/genetlink.h>
#include <linux/ip_vs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ipvs/codec.hpp"
#include "ipvs/netlink_table.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

using Replies = std::vector<Reply>;
const ServiceKey web = service_key_from_string("tcp:10.9.9.9:80").value();
constexpr int silence = -1;

/// Answers writes only. The nth write (from 0) gets `answers[n]`: an errno, or silence.
struct Kernel {
  std::uint16_t family{28};
  std::map<std::size_t, int> answers{};
  bool has_ipvs{true};
  std::size_t writes{};
  std::size_t resolutions{};
  std::size_t infos{};
  ScriptedKernel::Log log{};

  Replies answer(const Sent& sent) {
    if (sent.family == GENL_ID_CTRL) return resolve(sent);
    if (sent.command == IPVS_CMD_GET_INFO) ++infos;
    if (sent.family != family) return {ack(sent.sequence, ENOENT)};
    if (sent.command != IPVS_CMD_SET_DEST) return {ack(sent.sequence)};
    const auto found = answers.find(writes++);
    if (found == answers.end()) return {ack(sent.sequence)};
    return found->second == silence ? Replies{} : Replies{ack(sent.sequence, found->second)};
  }

  Replies resolve(const Sent& sent) {
    ++resolutions;
    if (!has_ipvs) return {ack(sent.sequence, ENOENT)};
    Bytes id;
    append_integer(id, CTRL_ATTR_FAMILY_ID, family);
    return {entry(sent.sequence, CTRL_CMD_NEWFAMILY, id), ack(sent.sequence)};
  }

  NetlinkTable open() {
    return NetlinkTable(
        std::make_unique<ScriptedKernel>([this](const Sent& sent) { return answer(sent); }, log),
        std::chrono::seconds(1));
  }
};

/// 10.0.0.1:80 and on, from weight 10 to 20, 21, ...
std::vector<WeightWrite> writes(std::uint32_t count) {
  std::vector<WeightWrite> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    Destination made{
        .key = destination_key_from_string("10.0.0." + std::to_string(i + 1) + ":80").value(),
        .weight = 10};
    made.raw = attributes_from_destination(made);
    all.push_back({made, 20 + i});
  }
  return all;
}

std::size_t written(const std::vector<tl::expected<void, Error>>& results) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [](const auto& result) { return result.has_value(); }));
}

}  // namespace

TEST_CASE("batch: nothing to write is nothing sent") {
  Kernel kernel;
  CHECK(kernel.open().set_weights(web, {}).empty());
  CHECK(kernel.log.datagrams == 0);
}

TEST_CASE("batch: without IPVS every write has the error and none is sent") {
  Kernel kernel;
  kernel.has_ipvs = false;
  for (const auto& result : kernel.open().set_weights(web, writes(3))) {
    CHECK(result.error().kind == ErrorKind::no_ipvs);
  }
  CHECK(kernel.resolutions == 1);
  CHECK(kernel.writes == 0);
}

TEST_CASE("batch: what cannot be written is left out and the others are sent") {
  Kernel kernel;
  auto asked = writes(4);
  asked.at(0).weight = max_weight + 1;
  asked.at(2).as_read.raw.clear();
  const auto results = kernel.open().set_weights(web, asked);
  CHECK(results.at(0).error().error_number == ERANGE);
  CHECK(results.at(1).has_value());
  CHECK(results.at(2).error().kind == ErrorKind::malformed);
  CHECK(results.at(3).has_value());
  CHECK(kernel.writes == 2);
}

TEST_CASE("batch: a refusal in the middle is that destination's alone") {
  Kernel kernel;
  kernel.answers[1] = ENOENT;
  const auto results = kernel.open().set_weights(web, writes(3));
  CHECK(written(results) == 2);
  CHECK(results.at(1).error().kind == ErrorKind::no_such_destination);
  CHECK(results.at(1).error().message == "no such destination: 10.0.0.2:80 in tcp 10.9.9.9:80");
}

TEST_CASE("batch: a write without an ack is timed out and not repeated") {
  Kernel kernel;
  kernel.answers[0] = silence;
  auto table = kernel.open();
  const auto results = table.set_weights(web, writes(3));
  CHECK(results.at(0).error().kind == ErrorKind::timed_out);
  CHECK(written(results) == 2);
  CHECK(kernel.writes == 3);
  CHECK(kernel.log.closed == 1);
  CHECK(written(table.set_weights(web, writes(3))) == 3);
}

TEST_CASE("batch: after a reload of ip_vs nothing reaches the new table and one question tells") {
  Kernel kernel;
  auto table = kernel.open();
  REQUIRE(written(table.set_weights(web, writes(1))) == 1);
  kernel.family = 29;
  for (const auto& result : table.set_weights(web, writes(3))) {
    CHECK(result.error().kind == ErrorKind::no_such_service);
  }
  CHECK(kernel.writes == 1);
  CHECK(kernel.infos == 1);
  CHECK(written(table.set_weights(web, writes(3))) == 3);
}

TEST_CASE("batch: all go in one send and each is what was read with its weight") {
  Kernel kernel;
  auto table = kernel.open();
  const auto asked = writes(batch_limit);
  REQUIRE(written(table.set_weights(web, asked)) == batch_limit);
  CHECK(kernel.log.datagrams == 2);  // the family, the writes
  REQUIRE(kernel.log.sent.size() == 1 + batch_limit);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto raw = raw_with_weight(asked[i].as_read.raw, asked[i].weight, Family::inet).value();
    CHECK(kernel.log.sent[1 + i].command == IPVS_CMD_SET_DEST);
    CHECK(kernel.log.sent[1 + i].attributes == set_destination_request(web, raw));
  }
}

TEST_CASE("batch: each write and each failure is counted") {
  Kernel kernel;
  kernel.answers = {{1, ESRCH}, {2, EPERM}};
  auto table = kernel.open();
  REQUIRE(written(table.set_weights(web, writes(5))) == 3);
  CHECK(table.counters() ==
        NetlinkTable::Counters{.requests = 6, .set_destination = 5, .failures = 2});
}
