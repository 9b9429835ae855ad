// A weight write changes the weight and nothing else, in the real kernel.

#include <string>

#include "ipvs/attributes.hpp"
#include "ipvs_table.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;
using lvs::guest::ipvsadm_restore;
using lvs::guest::must;
using lvs::guest::run;

TEST_CASE("kernel write: case 35 (tunnel data lost)") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wrr\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.11:80 -i --tun-type gue --tun-port 6080 --tun-csum -w 7\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.12:80 -i --tun-type gre --tun-csum -w 8\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.13:80 -i --tun-type gue --tun-port 6081 --tun-remcsum -w 9\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.14:80 -i -w 10\n");
  const auto remcsum_before = line_of("10.0.0.13:80", "--tun-info");
  NetlinkTable table;
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 9));
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.12:80", 18));
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.13:80", 19));
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.14:80", 20));

  CHECK(line_of("10.0.0.11:80", "--tun-info") == "-> 10.0.0.11:80 Tunnel gue:6080:+c 9 0 0\n");
  CHECK(line_of("10.0.0.12:80", "--tun-info") == "-> 10.0.0.12:80 Tunnel gre:+c 18 0 0\n");
  auto remcsum_after = remcsum_before;  // a column that ipvsadm 1.31 writes in its own way
  remcsum_after.replace(remcsum_after.find(" 9 "), 3, " 19 ");
  CHECK(line_of("10.0.0.13:80", "--tun-info") == remcsum_after);
  CHECK(line_of("10.0.0.14:80", "--tun-info") == "-> 10.0.0.14:80 Tunnel ipip 20 0 0\n");
}

TEST_CASE("kernel write: case 36 (thresholds lost)") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wrr\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 50 -x 100 -y 60\n");
  NetlinkTable table;
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 40));
  CHECK(line_of("10.0.0.11:80", "--thresholds") == "-> 10.0.0.11:80 100 60 0 0\n");
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 40 0 0\n");

  must("ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 40 -x 200 -y 60");
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 45));
  CHECK(line_of("10.0.0.11:80", "--thresholds") == "-> 10.0.0.11:80 200 60 0 0\n");
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 45 0 0\n");
}

TEST_CASE("kernel write: GUE data and thresholds survive together") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wrr\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.11:80 -i --tun-type gue --tun-port 6080 --tun-csum -w 7 -x 100 "
      "-y 60\n");
  NetlinkTable table;
  const auto before = table.service(key("tcp:10.9.9.9:80")).value();
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 33));
  auto after = table.service(key("tcp:10.9.9.9:80")).value();
  CHECK(after.destinations.at(0).weight == 33);
  after.destinations.at(0).weight = 7;
  after.destinations.at(0).raw = before.destinations.at(0).raw;
  CHECK(after == before);
  CHECK(after.destinations.at(0).upper_threshold == 100);
  CHECK(after.destinations.at(0).tunnel == Tunnel{TunnelType::gue, 6080, 1});
}

TEST_CASE("kernel write: case 38 (the family of the address)") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wrr\n"
      "-a -t 10.9.9.9:80 -r [2001:db8:1::11]:80 -i -w 4\n"
      "-a -t 10.9.9.9:80 -r 32.1.13.184:80 -i -w 6\n");
  NetlinkTable table;
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "[2001:db8:1::11]:80", 55));
  CHECK(line_of("[2001:db8:1::11]:80") == "-> [2001:db8:1::11]:80 Tunnel 55 0 0\n");
  CHECK(line_of("32.1.13.184:80") == "-> 32.1.13.184:80 Tunnel 6 0 0\n");
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "32.1.13.184:80", 66));
  CHECK(line_of("[2001:db8:1::11]:80") == "-> [2001:db8:1::11]:80 Tunnel 55 0 0\n");
  CHECK(line_of("32.1.13.184:80") == "-> 32.1.13.184:80 Tunnel 66 0 0\n");
}

TEST_CASE("kernel write: one mark in two families is two services") {
  ipvsadm_restore(
      "-A -f 7 -s wrr\n-a -f 7 -r 10.0.0.11:0 -g -w 3\n"
      "-A -f 7 -6 -s wlc\n-a -f 7 -6 -r [2001:db8::11]:0 -g -w 4\n");
  NetlinkTable table;
  REQUIRE(table.services().value().size() == 2);
  REQUIRE(set_weight(table, "fwm6:7", "[2001:db8::11]:0", 44));
  CHECK(find(table.service(key("fwm:7")).value(), "10.0.0.11:0").weight == 3);
  REQUIRE(set_weight(table, "fwm:7", "10.0.0.11:0", 33));
  CHECK(find(table.service(key("fwm:7")).value(), "10.0.0.11:0").weight == 33);
  CHECK(find(table.service(key("fwm6:7")).value(), "[2001:db8::11]:0").weight == 44);
}

TEST_CASE("kernel write: TCP and UDP and SCTP on one address and port are three services") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:53 -s wrr\n-a -t 10.9.9.9:53 -r 10.0.0.11:53 -m -w 1\n"
      "-A -u 10.9.9.9:53 -s wlc\n-a -u 10.9.9.9:53 -r 10.0.0.11:53 -m -w 2\n"
      "-A --sctp-service 10.9.9.9:53 -s sh\n"
      "-a --sctp-service 10.9.9.9:53 -r 10.0.0.11:53 -m -w 3\n");
  NetlinkTable table;
  REQUIRE(set_weight(table, "udp:10.9.9.9:53", "10.0.0.11:53", 22));
  REQUIRE(set_weight(table, "sctp:10.9.9.9:53", "10.0.0.11:53", 33));
  const auto weight = [&](std::string_view service) {
    return table.service(key(service)).value().destinations.at(0).weight;
  };
  CHECK(weight("tcp:10.9.9.9:53") == 1);
  CHECK(weight("udp:10.9.9.9:53") == 22);
  CHECK(weight("sctp:10.9.9.9:53") == 33);
}

TEST_CASE("kernel write: an absent destination is an error and nothing is added") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n"
      "-a -t 10.9.9.9:80 -r 10.0.0.12:80 -m -w 1\n");
  NetlinkTable table;
  const auto read = table.service(key("tcp:10.9.9.9:80")).value();
  must("ipvsadm -d -t 10.9.9.9:80 -r 10.0.0.11:80");
  const auto gone = table.set_weight(key("tcp:10.9.9.9:80"), find(read, "10.0.0.11:80"), 5);
  REQUIRE_FALSE(gone);
  CHECK(gone.error().kind == ErrorKind::no_such_destination);
  CHECK(gone.error().message == "no such destination: 10.0.0.11:80 in tcp 10.9.9.9:80");
  CHECK(table.service(key("tcp:10.9.9.9:80")).value().destinations.size() == 1);

  must("ipvsadm -D -t 10.9.9.9:80");
  const auto none = table.set_weight(key("tcp:10.9.9.9:80"), find(read, "10.0.0.12:80"), 5);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::no_such_service);
  CHECK(table.services().value().empty());
}

TEST_CASE("kernel write: attributes that nobody knows are taken back by the kernel") {
  ipvsadm_restore("-A -t 10.9.9.9:80 -s wrr\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n");
  NetlinkTable table;
  auto destination = table.service(key("tcp:10.9.9.9:80")).value().destinations.at(0);
  append_integer(destination.raw, 200, std::uint64_t{0x1234});
  REQUIRE(table.set_weight(key("tcp:10.9.9.9:80"), destination, 6));
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 6 0 0\n");
}

TEST_CASE("kernel write: the largest weight is written and one more is not sent") {
  ipvsadm_restore("-A -t 10.9.9.9:80 -s wlc\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n");
  NetlinkTable table;
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 2147483647));
  CHECK(line_of("10.0.0.11:80") == "-> 10.0.0.11:80 Masq 2147483647 0 0\n");
  CHECK_FALSE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 2147483648U));
  CHECK(table.counters().set_destination == 1);
  REQUIRE(set_weight(table, "tcp:10.9.9.9:80", "10.0.0.11:80", 65546));
  CHECK(table.service(key("tcp:10.9.9.9:80")).value().destinations.at(0).weight == 65546);
}

TEST_CASE("kernel write: every write is one SET_DEST and reads are none") {
  ipvsadm_restore("-A -t 10.9.9.9:80 -s mh\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n");
  NetlinkTable table;
  for (std::uint32_t weight = 2; weight <= 101; ++weight) {
    const auto read = table.service(key("tcp:10.9.9.9:80")).value();
    REQUIRE(read.destinations.at(0).weight == weight - 1);
    REQUIRE(table.set_weight(key("tcp:10.9.9.9:80"), read.destinations.at(0), weight));
  }
  CHECK(table.counters().set_destination == 100);
  CHECK(table.counters().requests == 1 + 300);  // the family; GET_DEST, GET_SERVICE, SET_DEST
  CHECK(table.counters().failures == 0);
}
