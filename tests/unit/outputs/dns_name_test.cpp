#include "monitord/outputs/dns_name.hpp"

#include <string>
#include <tuple>

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("dns name: what is none") {
  auto const text = GENERATE(as<std::string>{}, "", ".", "a.", ".a", "a..b", "a b", "a@b", "a/b",
                             "a\\.b", "\xc3\xa4", std::string(64, 'x'), std::string("a\0b", 3));
  CAPTURE(text);
  CHECK_FALSE(is_dns_name(text));
}

TEST_CASE("dns name: it has an end") {
  std::string name;
  while (name.size() < 250)
    name += "abc.";
  CHECK(name.size() == 252);
  CHECK(is_dns_name(name + "d"));
  CHECK_FALSE(is_dns_name(name + "de"));
  CHECK(is_dns_name(std::string(63, 'x')));
}

TEST_CASE("dns name: spellings of the same name are the same text") {
  CHECK(is_dns_name("_a-9.Example.ORG"));
  CHECK(plain_dns_name("Web.Example.ORG.") == "web.example.org");
  CHECK(plain_dns_name("").empty());
  CHECK(plain_dns_name(".").empty());
}

TEST_CASE("dns name: a zone holds itself and what is below it, by labels") {
  auto const [name, is_within] = GENERATE(table<std::string, bool>({
      {"b.c", true},
      {"a.b.c", true},
      {"x.a.b.c", true},
      {"ab.c", false},
      {"c", false},
      {".b.c", false},
      {"b.c.d", false},
      {"", false},
  }));
  CAPTURE(name);
  CHECK(is_within_zone(name, "b.c") == is_within);
}
