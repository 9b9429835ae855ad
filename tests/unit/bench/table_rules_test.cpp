#include "bench/table_rules.hpp"

#include <set>
#include <sstream>
#include <string>

#include "support/catch.hpp"

using namespace lvs::bench;
namespace ipvs = lvs::ipvs;

TEST_CASE("table rules: none for an empty table") {
  CHECK(rules_of({0, 0}).empty());
  CHECK(rules_of({1, 0}) == "-A -t 10.9.0.1:80 -s wrr\n");
}

TEST_CASE("table rules: a service, then its destinations, none like another") {
  CHECK(name_of({2, 2}) == "2x2");
  CHECK(rules_of({2, 2}) ==
        "-A -t 10.9.0.1:80 -s wrr\n"
        "-a -t 10.9.0.1:80 -r 10.20.0.1:80 -m -w 1 -x 1000 -y 10\n"
        "-a -t 10.9.0.1:80 -r 10.20.0.2:80 -m -w 2 -x 1000 -y 10\n"
        "-A -t 10.9.0.2:80 -s wrr\n"
        "-a -t 10.9.0.2:80 -r 10.20.0.3:80 -m -w 3 -x 1000 -y 10\n"
        "-a -t 10.9.0.2:80 -r 10.20.0.4:80 -m -w 4 -x 1000 -y 10\n");
}

TEST_CASE("table rules: large tables repeat no line") {
  const TableShape shape{2000, 40};
  std::istringstream rules(rules_of(shape));
  std::set<std::string> addresses;
  std::size_t lines = 0;
  for (std::string line; std::getline(rules, line); ++lines) {
    const auto destination = line.find("-r ");
    addresses.insert(destination == std::string::npos
                         ? line
                         : line.substr(destination, line.find(" -m") - destination));
  }
  CHECK(lines == 2000 + 80000);
  CHECK(addresses.size() == lines);
}

TEST_CASE("table rules: an edit keeps the thresholds and replaces the weight") {
  const auto service = ipvs::service_key_from_string("tcp:10.9.0.1:80").value();
  ipvs::Destination destination;
  destination.key = ipvs::destination_key_from_string("10.20.0.7:80").value();
  destination.weight = 5;
  destination.upper_threshold = 1000;
  destination.lower_threshold = 10;
  CHECK(edit_rule(service, destination, 9) ==
        "-e -t 10.9.0.1:80 -r 10.20.0.7:80 -m -w 9 -x 1000 -y 10");
}
