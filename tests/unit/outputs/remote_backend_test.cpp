#include "monitord/outputs/remote_backend.hpp"

#include <string>
#include <tuple>

#include "support/catch.hpp"

using namespace lvs::monitord;

using Method = DnsQuestion::Method;

TEST_CASE("remote backend: what PowerDNS does not ask is no question") {
  auto const line = GENERATE(
      as<std::string>{}, "", "x", "7", "[]", "null", "{}", R"({"method":7})", R"({"method":""})",
      R"({"method":"lookup"})", R"({"method":"lookup","parameters":[]})",
      R"({"method":"lookup","parameters":{"qname":"a."}})",
      R"({"method":"lookup","parameters":{"qtype":"A"}})",
      R"({"method":"lookup","parameters":{"qname":7,"qtype":"A"}})",
      R"({"method":"lookup","parameters":{"qname":"","qtype":"A"}})",
      R"({"method":"getDomainInfo","parameters":{}})",
      R"({"method":"initialize"} {"method":"initialize"})", R"({"method":"initialize")");
  CAPTURE(line);
  CHECK_FALSE(dns_question_from_line(line).has_value());
}

TEST_CASE("remote backend: a line has an end, and a document a depth") {
  CHECK_FALSE(dns_question_from_line(std::string(5000, ' ') + R"({"method":"initialize"})"));
  auto const deep = R"({"method":"initialize","parameters":)" + std::string(2000, '[') +
                    std::string(2000, ']') + "}";
  CHECK_FALSE(dns_question_from_line(deep).has_value());
}

TEST_CASE("remote backend: questions as PowerDNS 4.7 asks them") {
  auto const [line, question] = GENERATE(table<std::string, DnsQuestion>({
      {R"({"method": "initialize", "parameters": {"path": "/run/x", "timeout": "2000"}})",
       {Method::initialize, "", ""}},
      {R"({"method": "lookup", "parameters": {"local": "0.0.0.0", "qname": "WEB.lb.example.org.", )"
       R"("qtype": "SOA", "real-remote": "0.0.0.0/0", "remote": "0.0.0.0", "zone-id": -1}})",
       {Method::lookup, "WEB.lb.example.org.", "SOA"}},
      {R"({"method": "getDomainInfo", "parameters": {"name": "lb.example.org."}})",
       {Method::domain_info, "lb.example.org.", ""}},
      {R"({"method": "getAllDomains", "parameters": {"include_disabled": true}})",
       {Method::all_domains, "", ""}},
      {R"({"method": "getAllDomainMetadata", "parameters": {"name": "lb.example.org."}})",
       {Method::all_metadata, "", ""}},
      {R"({"method": "getDomainMetadata", "parameters": {"name": "a.", "kind": "ALLOW-AXFR-FROM"}})",
       {Method::metadata, "", ""}},
      {R"({"method": "list", "parameters": {"zonename": "lb.example.org.", "domain_id": 1}})",
       {Method::something_else, "", ""}},
  }));
  CAPTURE(line);
  CHECK(dns_question_from_line(line) == question);
}

TEST_CASE("remote backend: answers are a line each") {
  CHECK(dns_yes_line() == "{\"result\":true}\n");
  CHECK(dns_no_line() == "{\"result\":false}\n");
  CHECK(dns_no_metadata_line(true) == "{\"result\":{}}\n");
  CHECK(dns_no_metadata_line(false) == "{\"result\":[]}\n");
  CHECK(dns_records_line("a.", {}) == "{\"result\":[]}\n");
  CHECK(dns_records_line("A.b.", {{"A", "10.0.0.11", 2}, {"AAAA", "fd00::11", 2}}) ==
        R"({"result":[{"qtype":"A","qname":"A.b.","content":"10.0.0.11","ttl":2},)"
        R"({"qtype":"AAAA","qname":"A.b.","content":"fd00::11","ttl":2}]})"
        "\n");
  CHECK(dns_zone_line("a.b", false) ==
        R"({"result":{"id":1,"zone":"a.b","kind":"NATIVE","serial":1}})"
        "\n");
  CHECK(dns_zone_line("a.b", true) ==
        R"({"result":[{"id":1,"zone":"a.b","kind":"NATIVE","serial":1}]})"
        "\n");
}

TEST_CASE("remote backend: a name comes back as one line, whatever is in it") {
  auto const question = dns_question_from_line(
      R"({"method":"lookup","parameters":{"qname":"a\n\"b\\.c.","qtype":"A"}})");
  REQUIRE(question.has_value());
  auto const line = dns_records_line(question->name, {{"A", "10.0.0.11", 2}});
  CHECK(line.find('\n') == line.size() - 1);
}
