// Prints the messages of this kernel's IPVS table as hex, one a line: "service BYTES",
// "destination BYTES" (the attributes, without netlink and genetlink headers).
// tests/fixtures/ipvs/capture runs it in the lab's kernel to make the codec's fixtures.

#include <linux/ip_vs.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ipvs/codec.hpp"
#include "ipvs/conversation.hpp"
#include "ipvs/netlink_socket.hpp"

namespace {

using namespace lvs::ipvs;

void print(std::string_view kind, ByteView bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::cout << kind << ' ';
  for (const auto each : bytes) {
    const auto value = std::to_integer<unsigned>(each);
    std::cout << digits[value / 16] << digits[value % 16];
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  Conversation conversation(std::make_unique<NetlinkSocket>());
  const auto deadline = Clock::now() + std::chrono::seconds(5);

  std::optional<std::uint16_t> family;
  conversation.ask(family_request(IPVS_GENL_NAME), deadline, [&](const Message& message) {
    family = family_id_from_message(message.attributes);
  });
  if (!family) return 1;

  std::vector<ServiceKey> keys;
  conversation.ask({*family, IPVS_CMD_GET_INFO}, deadline,
                   [](const Message& message) { print("info", message.attributes); });
  conversation.ask({*family, IPVS_CMD_GET_SERVICE, Request::Shape::dump}, deadline,
                   [&](const Message& message) {
                     print("service", message.attributes);
                     keys.push_back(service_from_message(message.attributes).value().key);
                   });
  for (const auto& key : keys) {
    conversation.ask({*family, IPVS_CMD_GET_DEST, Request::Shape::dump, service_request(key)},
                     deadline,
                     [](const Message& message) { print("destination", message.attributes); });
  }
}
