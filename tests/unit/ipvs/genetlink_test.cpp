#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <cerrno>
#include <string>

#include "ipvs/genetlink.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

std::string problem(const Bytes& datagram) {
  const auto messages = messages_from_datagram(datagram);
  return messages ? "none" : messages.error();
}

Message only(const Bytes& datagram) {
  const auto messages = messages_from_datagram(datagram).value();
  REQUIRE(messages.size() == 1);
  return messages.front();
}

}  // namespace

TEST_CASE("genetlink: malformed datagrams are refused with the numbers") {
  const auto [hex, message] = GENERATE(table<std::string, std::string>({
      {"00", "1 bytes left where a message needs 16"},
      {"0f000000"
       "1c00"
       "0000"
       "01000000"
       "00000000",
       "a message says 15 bytes where 16 are left"},
      {"11000000"
       "1c00"
       "0000"
       "01000000"
       "00000000",
       "a message says 17 bytes where 16 are left"},
      {"10000000"
       "1c00"
       "0000"
       "01000000"
       "00000000",
       "generic netlink message of 0 bytes is too short"},
      {"12000000"
       "0200"
       "0000"
       "01000000"
       "00000000"
       "0000",
       "ERROR message of 2 bytes is too short"},
      {"10000000"
       "0300"
       "0000"
       "01000000"
       "00000000",
       "DONE message of 0 bytes is too short"},
  }));
  CHECK(problem(bytes_from_hex(hex)) == message);
}

TEST_CASE("genetlink: a positive error is no error of the kernel") {
  // nlmsgerr holds a negative errno; +2 is nonsense, not ENOENT and not an ack.
  CHECK(problem(ack(1, -2)) == "ERROR message with the impossible result 2");
  CHECK(problem(ack(1, 4096)) == "ERROR message with the impossible result -4096");
}

TEST_CASE("genetlink: a datagram cut at any byte is refused") {
  const auto whole = entry(7, 5, bytes_from_hex("0800010000010200")) + done(7);
  const auto first = entry(7, 5, bytes_from_hex("0800010000010200")).size();
  for (std::size_t length = 1; length < whole.size(); ++length) {
    if (length == first) continue;  // exactly one whole message
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    REQUIRE_FALSE(messages_from_datagram(cut).has_value());
  }
}

TEST_CASE("genetlink: an empty datagram holds nothing") {
  CHECK(messages_from_datagram({}).value().empty());
}

TEST_CASE("genetlink: the raw errno is kept and made positive") {
  const auto number = GENERATE(0, ENOENT, ESRCH, EPERM, ENOBUFS, ENOMEM, EOPNOTSUPP);
  const auto message = only(ack(9, number));
  CHECK(message.kind == Message::Kind::end);
  CHECK(message.sequence == 9);
  CHECK(message.error_number == number);
}

TEST_CASE("genetlink: entries and the end of a dump come in one datagram") {
  const auto attributes = bytes_from_hex("0800010000010200");
  const auto datagram = entry(3, 5, attributes) + entry(3, 5, {}, Mark::interrupted) + done(3);
  const auto messages = messages_from_datagram(datagram).value();
  REQUIRE(messages.size() == 3);
  CHECK(messages.at(0).kind == Message::Kind::entry);
  CHECK(messages.at(0).command == 5);
  CHECK(hex_from_bytes(messages.at(0).attributes) == hex_from_bytes(attributes));
  CHECK_FALSE(messages.at(0).interrupted);
  CHECK(messages.at(1).attributes.empty());
  CHECK(messages.at(1).interrupted);
  CHECK(messages.at(2).kind == Message::Kind::end);
  CHECK(messages.at(2).error_number == 0);
}

TEST_CASE("genetlink: NOOP is ignored and OVERRUN means lost answers") {
  const auto noop =
      only(bytes_from_hex("10000000"
                          "0100"
                          "0000"
                          "05000000"
                          "00000000"));
  CHECK(noop.kind == Message::Kind::ignored);
  const auto overrun =
      only(bytes_from_hex("10000000"
                          "0400"
                          "0000"
                          "05000000"
                          "00000000"));
  CHECK(overrun.kind == Message::Kind::end);
  CHECK(overrun.error_number == ENOBUFS);
}

TEST_CASE("genetlink: a request wants an ack and a dump wants all") {
  const Request single{.family = 28, .command = 4, .attributes = bytes_from_hex("0400f000")};
  CHECK(hex_from_bytes(datagram_from_request(single, 0x0a0b0c0d)) ==
        "18000000"
        "1c00"
        "0500"
        "0d0c0b0a"
        "00000000"
        "04010000"
        "0400f000");
  const Request dump{.family = 28, .command = 8, .shape = Request::Shape::dump};
  CHECK(hex_from_bytes(datagram_from_request(dump, 2)) ==
        "14000000"
        "1c00"
        "0103"
        "02000000"
        "00000000"
        "08010000");
}

TEST_CASE("genetlink: the controller is asked for a family by name") {
  const auto request = family_request("IPVS");
  CHECK(request.family == GENL_ID_CTRL);
  CHECK(request.command == CTRL_CMD_GETFAMILY);
  CHECK(hex_from_bytes(request.attributes) ==
        "09000200"
        "4950565300"
        "000000");
}

TEST_CASE("genetlink: the family id is found among the other attributes") {
  CHECK(family_id_from_message(bytes_from_hex("0900020049505653000000000600010"
                                              "01d000000")) == 29);
  const auto none = GENERATE(as<std::string>{}, "", "0600",
                             "08000100"
                             "1d000000",
                             "05000100"
                             "1d000000");
  CHECK_FALSE(family_id_from_message(bytes_from_hex(none)).has_value());
}
