// The whole table is read, whatever its size and whatever happens to it meanwhile.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "ipvs/netlink_socket.hpp"
#include "ipvs_table.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;
using lvs::guest::ipvsadm_restore;
using lvs::guest::must;

namespace {

constexpr auto patience = std::chrono::seconds(20);  // a virtual kernel on a busy host

/// "10.1.0.0" .. "10.1.255.255".
std::string host(int index) {
  return "10.1." + std::to_string(index / 256) + "." + std::to_string(index % 256);
}

void make_pool(int destinations) {
  std::string rules = "-A -t 10.9.9.9:80 -s wlc\n";
  for (int i = 0; i < destinations; ++i) {
    rules += "-a -t 10.9.9.9:80 -r " + host(i) + ":80 -m -w " + std::to_string(i % 100 + 1) + "\n";
  }
  ipvsadm_restore(rules);
}

std::set<DestinationKey> keys(const ServiceEntry& entry) {
  std::set<DestinationKey> result;
  for (const auto& each : entry.destinations)
    result.insert(each.key);
  return result;
}

/// The real socket, but for something that happens once, after the next datagram has come.
class Disturbed : public Transport {
 public:
  struct Plan {
    std::function<void()> after_next{};  ///< somebody changes the table
    bool lose_next{};                    ///< the deadline passes
  };

  explicit Disturbed(Plan& plan) : plan_(plan) {}

  tl::expected<void, int> send(ByteView datagram) override { return socket_.send(datagram); }

  tl::expected<ByteView, int> receive(Clock::time_point deadline) override {
    if (std::exchange(plan_.lose_next, false)) return tl::unexpected(ETIMEDOUT);
    auto datagram = socket_.receive(deadline);
    if (const auto act = std::exchange(plan_.after_next, {})) act();
    return datagram;
  }

  void close() override { socket_.close(); }

 private:
  NetlinkSocket socket_{};
  Plan& plan_;
};

/// One TCP connection; the descriptor, or -1.
int connect_to(const char* address, std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  inet_pton(AF_INET, address, &to.sin_addr);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

/// Listens on the address; the kernel alone completes the connections.
int listen_on(const char* address, std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  inet_pton(AF_INET, address, &at.sin_addr);
  REQUIRE(bind(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(listen(descriptor, 1024) == 0);
  return descriptor;
}

/// Reads until the estimator has counted (every 2 s) or patience ends.
template <typename Ready>
Destination wait_for(NetlinkTable& table, std::string_view service, Ready ready) {
  const auto end = Clock::now() + patience;
  while (true) {
    auto destination = table.service(key(service)).value().destinations.at(0);
    if (ready(destination) || Clock::now() > end) return destination;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace

TEST_CASE("kernel read: an empty table is no error") {
  NetlinkTable table;
  const auto services = table.services();
  REQUIRE(services);
  CHECK(services->empty());
}

TEST_CASE("kernel read: the kernel says its version and table size as ipvsadm does") {
  const auto info = NetlinkTable().info().value();
  const auto line = "IP Virtual Server version " + std::to_string(info.version >> 16) + "." +
                    std::to_string((info.version >> 8) & 0xff) + "." +
                    std::to_string(info.version & 0xff) +
                    " (size=" + std::to_string(info.connection_table_size) + ")\n";
  CHECK(must("ipvsadm -Ln | head -1") == line);
}

TEST_CASE("kernel read: persistence and flags and mask as they were set") {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s sh -p 360 -M 255.255.255.0 -b sh-fallback,sh-port\n"
      "-A -t [fd00::9]:443 -s wlc -p 300 -M 64\n"
      "-A -u 10.9.9.9:5060 -s wlc -o -p 60 --pe sip\n");
  NetlinkTable table;
  const auto read = [&](std::string_view name) { return table.service(key(name)).value().service; };
  const auto web = read("tcp:10.9.9.9:80");
  CHECK(web.scheduler == "sh");
  CHECK(web.timeout_s == 360);
  CHECK(web.netmask == 0xffffff00);
  CHECK(web.flags == (service_flag::persistent | service_flag::sched1 | service_flag::sched2));
  CHECK(read("tcp:[fd00::9]:443").netmask == 64);
  CHECK(read("udp:10.9.9.9:5060").persistence_engine == "sip");
  CHECK(read("udp:10.9.9.9:5060").flags == (service_flag::persistent | service_flag::one_packet));
}

TEST_CASE("kernel read: 300 services with 4 destinations each are read completely") {
  std::string rules;
  std::set<std::string> expected;
  for (int service = 0; service < 300; ++service) {
    const auto name = "10.9.0.1:" + std::to_string(1000 + service);
    rules += "-A -t " + name + " -s wrr\n";
    for (int i = 0; i < 4; ++i) {
      const auto destination = host(4 * service + i) + ":80";
      rules += "-a -t " + name + " -r " + destination + " -m -w " + std::to_string(i + 1) + "\n";
      expected.insert("tcp " + name + " " + destination + " " + std::to_string(i + 1));
    }
  }
  ipvsadm_restore(rules);
  NetlinkTable table(patience);
  const auto services = table.services().value();
  CHECK(services.size() == 300);
  std::set<std::string> read;
  for (const auto& [service, destinations] : services) {
    for (const auto& each : destinations) {
      read.insert(string_from_service_key(service.key) + " " +
                  string_from_destination_key(each.key) + " " + std::to_string(each.weight));
    }
  }
  CHECK(read == expected);
}

TEST_CASE("kernel read: 2000 destinations in one service are read completely") {
  make_pool(2000);
  NetlinkTable table(patience);
  const auto services = table.services().value();
  REQUIRE(services.size() == 1);
  CHECK(services.at(0).destinations.size() == 2000);
  CHECK(keys(services.at(0)).size() == 2000);
  CHECK(find(services.at(0), host(1999) + ":80").weight == 100);
}

TEST_CASE("kernel read: case 33 (the cost of many destinations) costs one request per service") {
  std::string rules;
  for (int service = 0; service < 2000; ++service) {
    const auto name = "10.9.0.1:" + std::to_string(1000 + service);
    rules += "-A -t " + name + " -s wrr\n-a -t " + name + " -r " + host(2 * service) +
             ":80 -m\n-a -t " + name + " -r " + host(2 * service + 1) + ":80 -m\n";
  }
  ipvsadm_restore(rules);
  NetlinkTable table(patience);
  const auto first = table.services().value();
  REQUIRE(first.size() == 2000);
  const auto before = table.counters();
  const auto start = Clock::now();
  CHECK(table.services().value() == first);
  const std::chrono::duration<double> took = Clock::now() - start;
  CHECK(table.counters().requests - before.requests == 1 + 2000);
  CHECK(table.counters().set_destination == 0);
  WARN("4000 destinations of 2000 services read in " << took.count() << " s");
}

TEST_CASE("kernel read: case 40a (a total taken for a current number)") {
  must("ip link set lo up; ip addr add 10.9.9.9/32 dev lo; ip addr add 10.0.0.11/32 dev lo");
  ipvsadm_restore("-A -t 10.9.9.9:80 -s wlc\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n");
  const int listener = listen_on("10.0.0.11", 80);
  for (int i = 0; i < 500; ++i) {
    const int client = connect_to("10.9.9.9", 80);
    REQUIRE(client >= 0);
    close(client);
    close(accept(listener, nullptr, nullptr));
  }
  REQUIRE(connect_to("10.9.9.9", 80) >= 0);  // left open to the end of this kernel
  REQUIRE(connect_to("10.9.9.9", 80) >= 0);

  NetlinkTable table;
  const auto read = wait_for(table, "tcp:10.9.9.9:80", [](const Destination& each) {
    return each.statistics.connections >= 502 && each.active_connections <= 2;
  });
  CHECK(read.statistics.connections == 502);
  CHECK(read.active_connections == 2);
  CHECK(read.inactive_connections == 500);
  CHECK(read.persistent_connections == 0);
}

TEST_CASE("kernel read: case 40b (a persistent client is not an active connection)") {
  must("ip link set lo up; ip addr add 10.9.9.9/32 dev lo; ip addr add 10.0.0.11/32 dev lo");
  ipvsadm_restore("-A -t 10.9.9.9:80 -s wlc -p 360\n-a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 1\n");
  const int listener = listen_on("10.0.0.11", 80);
  const int client = connect_to("10.9.9.9", 80);
  REQUIRE(client >= 0);
  close(client);
  close(accept(listener, nullptr, nullptr));

  NetlinkTable table;
  const auto read = wait_for(table, "tcp:10.9.9.9:80",
                             [](const Destination& each) { return each.active_connections == 0; });
  CHECK(read.persistent_connections == 1);
  CHECK(read.active_connections == 0);
}

TEST_CASE("kernel read: case 46a (half a dump believed) with one destination deleted meanwhile") {
  make_pool(2000);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  const auto before = table.service(key("tcp:10.9.9.9:80")).value();
  REQUIRE(before.destinations.size() == 2000);
  const auto deleted = string_from_destination_key(before.destinations.at(0).key);
  plan.after_next = [&] { must("ipvsadm -d -t 10.9.9.9:80 -r " + deleted); };

  const auto disturbed = table.service(key("tcp:10.9.9.9:80"));
  REQUIRE(disturbed);  // incomplete, and nothing in it says so
  CHECK(disturbed->destinations.size() == 1999);
  CHECK(find(*disturbed, deleted).key == before.destinations.at(0).key);
  // The one that was not delivered lives: the next reading has it.
  const auto after = keys(table.service(key("tcp:10.9.9.9:80")).value());
  CHECK(after.size() == 1999);
  auto missing = after;
  for (const auto& each : disturbed->destinations)
    missing.erase(each.key);
  CHECK(missing.size() == 1);
}

TEST_CASE("kernel read: case 46b (half a dump believed) with one destination added meanwhile") {
  make_pool(2000);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  REQUIRE(table.service(key("tcp:10.9.9.9:80")));
  plan.after_next = [] { must("ipvsadm -a -t 10.9.9.9:80 -r 10.2.0.1:80 -m"); };

  const auto disturbed = table.service(key("tcp:10.9.9.9:80")).value();
  CHECK(disturbed.destinations.size() == 2000);  // 2001 came, one of them twice
  CHECK(keys(disturbed).size() == 2000);
  CHECK(keys(table.service(key("tcp:10.9.9.9:80")).value()).size() == 2001);
}

TEST_CASE("kernel read: case 46c (half a dump believed) with the service deleted meanwhile") {
  make_pool(2000);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  REQUIRE(table.service(key("tcp:10.9.9.9:80")));
  plan.after_next = [] { must("ipvsadm -D -t 10.9.9.9:80"); };
  CHECK(table.service(key("tcp:10.9.9.9:80")).error().kind == ErrorKind::no_such_service);
}

TEST_CASE("kernel read: a service deleted after the dump of the services is left out") {
  make_pool(10);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  REQUIRE(table.services());
  plan.after_next = [] { must("ipvsadm -D -t 10.9.9.9:80"); };
  const auto services = table.services();
  REQUIRE(services);
  CHECK(services->empty());
}

TEST_CASE("kernel read: case 46c (half a dump believed) while the whole table is read") {
  make_pool(2000);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  REQUIRE(table.services());
  // First datagram: the services. Second: their end. Third: the first piece of destinations.
  plan.after_next = [&] {
    plan.after_next = [&] { plan.after_next = [] { must("ipvsadm -D -t 10.9.9.9:80"); }; };
  };
  const auto services = table.services();
  REQUIRE(services);
  CHECK(services->empty());
}

TEST_CASE("kernel read: a dump given up half-way does not disturb the next one") {
  make_pool(300);
  Disturbed::Plan plan;
  NetlinkTable table(std::make_unique<Disturbed>(plan), patience);
  REQUIRE(table.service(key("tcp:10.9.9.9:80")));
  plan.after_next = [&] { plan.lose_next = true; };
  CHECK(table.service(key("tcp:10.9.9.9:80")).error().kind == ErrorKind::timed_out);
  const auto next = table.service(key("tcp:10.9.9.9:80"));
  REQUIRE(next);
  CHECK(next->destinations.size() == 300);
}
