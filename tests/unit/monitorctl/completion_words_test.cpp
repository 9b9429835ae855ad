#include "monitorctl/completion_words.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "monitorctl/proc_ip_vs.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::cli::Candidate;
using lvs::cli::Completion;
using lvs::monitorctl::testing::captured_table;
using lvs::monitorctl::testing::some_status;

namespace {

using Candidates = std::vector<Candidate>;

Candidates from_table(const std::string& placeholder, const Completion& completion) {
  return candidates_for(placeholder, completion, known_from_table(captured_table())).value();
}

std::vector<std::string> words_from_table(const std::string& placeholder,
                                          const Completion& completion) {
  std::vector<std::string> words;
  for (const auto& candidate : from_table(placeholder, completion))
    words.push_back(candidate.word);
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("completion words: services are one word each, with what they are") {
  CHECK(from_table("SERVICE", {}) == Candidates{{"fwm:7", "mh, 1 destination"},
                                                {"tcp:[fd00::9]:443", "wlc, 2 destinations"},
                                                {"udp:10.9.9.9:53", "sh, 1 destination"},
                                                {"tcp:10.9.9.9:80", "wrr, 3 destinations"}});
}

TEST_CASE("completion words: ipvsadm's options take services without the protocol") {
  CHECK(words_from_table("VIP:PORT", {.option = "--tcp-service"}) ==
        Words{"[fd00::9]:443", "10.9.9.9:80"});
  CHECK(words_from_table("VIP:PORT", {.option = "--udp-service"}) == Words{"10.9.9.9:53"});
  CHECK(words_from_table("VIP:PORT", {.option = "--sctp-service"}).empty());
  CHECK(words_from_table("VIP:PORT", {.option = "--else"}).empty());
  CHECK(words_from_table("MARK", {}) == Words{"7"});
  CHECK(words_from_table("MARK", {.options = {{"--ipv6", ""}}}).empty());
}

TEST_CASE("completion words: destinations are those of the service that was named") {
  CHECK(words_from_table("DESTINATION", {}).size() == 7);
  const Words web{"127.0.0.1:80", "10.0.0.12:8080", "10.0.0.11:80"};
  CHECK(words_from_table("DESTINATION", {.arguments = {"tcp:10.9.9.9:80"}}) == web);
  CHECK(words_from_table("DESTINATION", {.options = {{"--tcp-service", "10.9.9.9:80"}}}) == web);
  CHECK(words_from_table("DESTINATION", {.options = {{"--fwmark-service", "7"}}}) ==
        Words{"10.0.0.11:0"});
  CHECK(words_from_table("DESTINATION", {.arguments = {"tcp:10.9.9.9:81"}}).empty());
  // What stands before is a destination: a weight follows, not another one.
  CHECK(words_from_table("DESTINATION", {.arguments = {"10.0.0.11:80"}}).empty());
}

TEST_CASE("completion words: a daemon knows the names of its servers") {
  const auto known = known_from_status(some_status());
  CHECK(candidates_for("DESTINATION", {}, known) ==
        Candidates{{"10.0.0.11:80", "web1, weight 100"}, {"10.0.0.12:8080", "weight 0"}});
  CHECK(candidates_for("HOST", {}, known) == Candidates{{"10.0.0.11", ""}, {"10.0.0.12", ""}});
}

TEST_CASE("completion words: a pool without IPVS is one word as well") {
  Status status;
  status.services = {{"pool web", "roundrobin", {}}};
  CHECK(candidates_for("SERVICE", {}, known_from_status(status)) ==
        Candidates{{"pool:web", "roundrobin, 0 destinations"}});
  CHECK(candidates_for("MARK", {}, known_from_status(status))->empty());
}

TEST_CASE("completion words: what a newer daemon says in another way is left out") {
  Status status;
  status.services = {{"quic 10.9.9.9:80", "wrr", {}}, {"tcp 10.9.9.9:80", "wrr", {{}}}};
  const auto known = known_from_status(status);
  REQUIRE(known.size() == 1);
  CHECK(known[0].destinations.empty());
}

TEST_CASE("completion words: names in a list are offered once") {
  const auto names = words_from_table("SCHEDULER", {.prefix = "--scheduler=wrr,sed,"});
  CHECK(std::find(names.begin(), names.end(), "wlc") != names.end());
  CHECK(std::find(names.begin(), names.end(), "wrr") == names.end());
  CHECK(std::find(names.begin(), names.end(), "sed") == names.end());
  CHECK_FALSE(words_from_table("STRATEGY", {}).empty());
}

TEST_CASE("completion words: other placeholders are not the table's") {
  CHECK_FALSE(candidates_for("FILE", {}, {}).has_value());
  CHECK_FALSE(needs_table({.wanted = {"FILE", "STRATEGY"}}));
  CHECK(needs_table({.wanted = {"WEIGHT", "DESTINATION"}}));
}
