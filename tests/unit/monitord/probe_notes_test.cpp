#include "monitord/probe_notes.hpp"

#include <string>
#include <vector>

#include "monitord/config_yaml.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;

namespace {

std::vector<std::string> notes_of(const std::string& text) {
  return notes_from_missing_probes(config_from_yaml(text, "t").value().config);
}

}  // namespace

TEST_CASE("probe notes: strategies that look at no response time miss nothing") {
  CHECK(notes_of("").empty());
  CHECK(notes_of("defaults: {strategy: headroom}").empty());
  CHECK(notes_of("defaults: {strategy: response, probe: {type: tcp}}").empty());
}

TEST_CASE("probe notes: a strategy that looks at response times says that nobody measures them") {
  auto const notes = notes_of("defaults: {strategy: response}");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("defaults: strategy response looks at response times"));
  CHECK(notes[0].find("probe: {type: tcp}") != std::string::npos);
}

TEST_CASE("probe notes: with a list only its services count") {
  auto const notes = notes_of(
      "defaults: {strategy: response}\n"
      "services:\n"
      "  - {service: fwm:7, strategy: capacity}\n"
      "  - {service: tcp:10.9.9.9:80}\n"
      "  - {service: tcp:10.9.9.9:81, probe: {type: http}}\n");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("tcp 10.9.9.9:80: strategy response"));
}
