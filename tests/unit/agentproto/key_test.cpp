#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "agentproto/key.hpp"
#include "support/catch.hpp"

namespace agentproto = lvs::agentproto;

namespace {

agentproto::Key counting_master() {
  agentproto::Key master{};
  for (std::size_t i = 0; i < master.size(); ++i)
    master[i] = static_cast<std::uint8_t>(i);
  return master;
}

}  // namespace

TEST_CASE("key: text that is no key is refused") {
  const std::string good(64, 'a');
  REQUIRE(agentproto::key_from_hex(good));
  const auto bad = GENERATE_COPY(
      values<std::string>({"", "ab", good.substr(1), good + "a", good + "\n", " " + good.substr(1),
                           good.substr(1) + "g", "0x" + good.substr(2), good.substr(2) + "é"}));
  CHECK_FALSE(agentproto::key_from_hex(bad));
}

TEST_CASE("key: hexadecimal text survives a round trip in either case") {
  const auto key = counting_master();
  const std::string text = agentproto::hex_from_key(key);
  CHECK(text == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  CHECK(agentproto::key_from_hex(text) == key);
  CHECK(agentproto::key_from_hex(
            "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F") == key);
}

TEST_CASE("key: an agent's key is derived from the master and its name") {
  CHECK(agentproto::hex_from_key(agentproto::agent_key(counting_master(), "web1")) ==
        "5e15753cdc103cdcefa5aaa81a9f877d9177555575b6c5a5100450124fda488a");
  CHECK(agentproto::agent_key(counting_master(), "web1") !=
        agentproto::agent_key(counting_master(), "web2"));
}

TEST_CASE("key: the hash of a name is the start of its SHA-256") {
  CHECK(agentproto::hash_of_name("web1") ==
        agentproto::NameHash{0x65, 0x9a, 0x7f, 0xb2, 0xaf, 0x47, 0x6f, 0xae});
}

TEST_CASE("key: names that cannot be typed the same everywhere are refused") {
  const auto bad = GENERATE(as<std::string>{}, "", " ", "web 1", "web1\n", "w\x7f", "w\xc3\xa9",
                            std::string(256, 'x'), std::string("a\0b", 3));
  CHECK_FALSE(agentproto::is_agent_name(bad));
  const auto good =
      GENERATE(as<std::string>{}, "web1", "10.0.0.11", "2001:db8::11", "!", std::string(255, 'x'));
  CHECK(agentproto::is_agent_name(good));
}

TEST_CASE("key: one context gives the same MAC each time it is used") {
  const agentproto::MacKey key{counting_master()};
  const agentproto::MacKey again{counting_master()};
  const std::array<std::uint8_t, 3> message{1, 2, 3};
  const auto mac = key.mac(message);
  CHECK(key.mac(message) == mac);
  CHECK(again.mac(message) == mac);
  CHECK(key.verify(message, mac));
  CHECK_FALSE(key.verify(message, agentproto::Bytes{mac}.first(15)));
  CHECK_FALSE(key.verify(agentproto::Bytes{message}.first(2), mac));
  CHECK_FALSE(agentproto::MacKey{agentproto::Key{}}.verify(message, mac));
}
