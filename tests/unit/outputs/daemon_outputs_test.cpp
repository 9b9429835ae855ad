// The daemon with a pool: HAProxy asks it over TCP, as it starts, reloads and ends.

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>

#include "ipvs/fake_table.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "pools.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using boost::asio::ip::tcp;
using boost::system::error_code;

namespace {

namespace json = boost::json;

const auto web = service_key("pool web");

/// One that was free a moment ago.
unsigned short free_port(boost::asio::io_context& io) {
  tcp::acceptor const asking(io, {boost::asio::ip::address_v4::loopback(), 0});
  return asking.local_endpoint().port();
}

struct Fixture {
  lvs::testing::ScratchFolder folder{};
  ipvs::FakeTable kernel{};
  Moment now{1000s};
  boost::asio::io_context io{};
  unsigned short port{free_port(io)};
  StateJournal journal{folder.file("state")};

  Fixture() {
    set_up_log("off");
    configure("dry_run: false\n", pool());
  }

  void configure(const std::string& head, const std::string& pools) const {
    folder.write(
        "monitord.yaml",
        head + "agent: {keys: " + folder.file("keys.yaml") + "}\nstate: {file: " +
            folder.file("state") + "}\ncontrol: {socket: " + folder.file("control.sock") +
            "}\nhttp: {listen: none}\nlog: {level: error}\nservices: []\noutputs: {haproxy: "
            "{listen: \"127.0.0.1:" +
            std::to_string(port) +
            "\"}, nginx: {test: [/bin/true], reload: [/bin/true]}, dns: {zone: a.b, "
            "nameservers: [n.c], socket: " +
            folder.file("dns.sock") + "}}\n" + pools);
  }
  static std::string pool() {
    return "pools:\n  - pool: web\n    output: haproxy\n    strategy: headroom\n    servers:\n"
           "      - {name: s1, destination: \"127.0.0.1:8001\", base: 100}\n"
           "      - {name: s2, destination: \"127.0.0.2:8002\", base: 100}\n";
  }
  Daemon daemon() {
    auto const file = folder.file("monitord.yaml");
    return Daemon(io, {file, {}, "1.2.3"}, read_configuration(file, {}).value(),
                  {kernel, journal, nullptr, [this] { return now; }, [] { return 1; }},
                  journal.open().value());
  }

  /// Nothing where nobody listens.
  std::optional<std::string> ask(const std::string& question) {
    tcp::socket socket(io);
    error_code failure;
    socket.connect({boost::asio::ip::address_v4::loopback(), port}, failure);
    if (failure) return std::nullopt;
    boost::asio::write(socket, boost::asio::buffer(question + "\n"), failure);
    std::string answer;
    std::array<char, 256> buffer{};
    bool closed = false;
    socket.async_read_some(boost::asio::buffer(buffer), [&](error_code, std::size_t size) {
      answer.assign(buffer.data(), size);
      closed = true;
    });
    while (!closed && io.run_one_for(30s) > 0) {
    }
    // A daemon that has told all may have ended the loop before this end has looked.
    if (!closed) answer.assign(buffer.data(), socket.read_some(boost::asio::buffer(buffer)));
    return answer;
  }
  /// Likewise, of an address of the pool's name.
  std::optional<std::string> look_up(const std::string& name) {
    boost::asio::local::stream_protocol::socket socket(io);
    error_code failure;
    socket.connect({folder.file("dns.sock")}, failure);
    if (failure) return std::nullopt;
    auto const question =
        R"({"method":"lookup","parameters":{"qname":")" + name + "\",\"qtype\":\"A\"}}\n";
    boost::asio::write(socket, boost::asio::buffer(question), failure);
    std::string answer;
    bool ended = false;
    boost::asio::async_read_until(socket, boost::asio::dynamic_buffer(answer), '\n',
                                  [&](error_code, std::size_t) { ended = true; });
    while (!ended && io.run_one_for(30s) > 0) {
    }
    auto const records = json::parse(answer).at("result").as_array();
    return records.empty() ? "" : std::string(records[0].at("content").as_string());
  }
  static std::string named_pool() {
    return "pools:\n  - pool: web\n    output: dns\n    strategy: headroom\n    servers:\n"
           "      - {destination: \"127.0.0.1:8001\", base: 100}\n"
           "      - {destination: \"127.0.0.2:8002\", base: 100}\n";
  }
  static void order(Daemon& daemon, Order::Kind kind) {
    Order wanted;
    wanted.kind = kind;
    wanted.service = web;
    wanted.destination = destination_key("127.0.0.1:8001");
    give(daemon, wanted);
  }
  /// An order is answered at once.
  static void give(Daemon& daemon, const Order& wanted) {
    ControlServer::Answer answer;
    daemon.answer({ControlCommand::order, wanted, {}},
                  [&](ControlServer::Answer text) { answer = std::move(text); });
    REQUIRE(answer);
    REQUIRE(json::parse(*answer).at("ok").as_bool());
  }
};

}  // namespace

TEST_CASE("daemon outputs: HAProxy is answered once the daemon runs") {
  Fixture host;
  auto daemon = host.daemon();
  CHECK_FALSE(host.ask("be/s1").has_value());
  daemon.start();
  CHECK(host.ask("web/s1") == "up 100%\n");
  CHECK(host.ask("web/s3") == "monitord-has-no-server-web/s3\n");
  daemon.cycle(host.now += 2s);
  auto const& report = daemon.last_report();
  CHECK(report.degraded.empty());
  CHECK(report.outputs.questions == QuestionCounters{1, 1, 0, 0});
  CHECK(report.verdicts.size() == 2);
  CHECK(host.kernel.calls == 0);
}

TEST_CASE("daemon outputs: an order reaches HAProxy after the next cycle") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.start();
  Fixture::order(daemon, Order::Kind::drain);
  daemon.cycle(host.now += 2s);
  CHECK(host.ask("web/s1") == "up 0%\n");
  CHECK(host.ask("web/s2") == "up 100%\n");
}

TEST_CASE("daemon outputs: in a dry run nobody is answered, and a reload ends it") {
  Fixture host;
  host.configure("dry_run: true\n", Fixture::pool());
  auto daemon = host.daemon();
  daemon.start();
  CHECK_FALSE(host.ask("web/s1").has_value());
  host.configure("dry_run: false\n", Fixture::pool());
  REQUIRE(daemon.reload().has_value());
  CHECK(host.ask("web/s1") == "up 100%\n");
  host.configure("dry_run: true\n", Fixture::pool());
  REQUIRE(daemon.reload().has_value());
  CHECK_FALSE(host.ask("web/s1").has_value());
}

TEST_CASE(
    "daemon outputs: a pool that a reload takes away gets its base back where it was drained") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.start();
  Fixture::order(daemon, Order::Kind::drain);
  daemon.cycle(host.now += 2s);
  CHECK(host.ask("web/s1") == "up 0%\n");
  host.configure("dry_run: false\n", "");
  REQUIRE(daemon.reload().has_value());
  CHECK(host.ask("web/s1") == "up 100%\n");
  CHECK(host.ask("web/s1") == "monitord-has-no-server-web/s1\n");
}

TEST_CASE("daemon outputs: a port that is taken is a note, and the loop goes on") {
  Fixture host;
  tcp::acceptor const taken(host.io, {boost::asio::ip::address_v4::loopback(), host.port});
  auto daemon = host.daemon();
  daemon.start();
  daemon.cycle(host.now += 2s);
  bool told = false;
  for (auto const& note : daemon.last_report().notes)
    told |= note.starts_with("HAProxy cannot ask for weights at 127.0.0.1:");
  CHECK(told);
  CHECK(daemon.last_report().verdicts.size() == 2);
}

TEST_CASE("daemon outputs: it ends when HAProxy has been told the last weights, not before") {
  Fixture host;
  host.configure("dry_run: false\non_exit: restore\n", Fixture::pool());
  auto daemon = host.daemon();
  daemon.start();
  CHECK(host.ask("web/s1") == "up 100%\n");
  Order pin;
  pin.kind = Order::Kind::pin;
  pin.service = web;
  pin.destination = destination_key("127.0.0.1:8001");
  pin.weight = 40;
  Fixture::give(daemon, pin);
  daemon.cycle(host.now += 2s);
  ::raise(SIGTERM);
  host.io.run_for(200ms);
  CHECK_FALSE(host.io.stopped());
  CHECK(host.ask("web/s1") == "up 40%\n");  // a pin stands
  host.io.run_for(30s);
  CHECK(host.io.stopped());
}

TEST_CASE("daemon outputs: it does not wait longer than a few seconds") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.start();
  CHECK(host.ask("web/s1") == "up 100%\n");
  Fixture::order(daemon, Order::Kind::drain);
  daemon.cycle(host.now += 2s);
  ::raise(SIGTERM);
  host.io.run_for(100ms);
  CHECK_FALSE(host.io.stopped());
  host.now += 10s;
  host.io.run_for(30s);
  CHECK(host.io.stopped());
}

TEST_CASE("daemon outputs: at its end nginx has the last weights, whenever it was told before") {
  Fixture host;
  auto const file = host.folder.file("web.conf");
  host.configure(
      "dry_run: false\n",
      "pools:\n  - pool: web\n    output: nginx\n    strategy: headroom\n    file: " + file +
          "\n    servers:\n      - {destination: \"127.0.0.1:8001\", base: 100}\n"
          "      - {destination: \"127.0.0.2:8002\", base: 100}\n");
  auto daemon = host.daemon();
  daemon.start();
  Fixture::order(daemon, Order::Kind::drain);
  daemon.cycle(host.now += 2s);
  ::raise(SIGTERM);
  host.io.run_for(30s);
  CHECK(host.io.stopped());
  CHECK(host.folder.read("web.conf").find("server 127.0.0.1:8001 down;\n") != std::string::npos);
}

TEST_CASE("daemon outputs: PowerDNS is answered once the daemon runs, however silent agents are") {
  Fixture host;
  host.configure("dry_run: false\n", Fixture::named_pool());
  auto daemon = host.daemon();
  CHECK_FALSE(host.look_up("web.a.b.").has_value());
  daemon.start();
  Fixture::order(daemon, Order::Kind::drain);
  for (int i = 0; i < 30; ++i) {  // nobody has ever answered
    daemon.cycle(host.now += 2s);
    CHECK(host.look_up("web.a.b.") == "127.0.0.2");
  }
  CHECK(host.look_up("none.a.b.") == "");
  daemon.cycle(host.now += 2s);
  CHECK(daemon.last_report().outputs.dns == DnsCounters{30, 1, 0});
}

TEST_CASE("daemon outputs: names come and go with reloads, and not in a dry run") {
  Fixture host;
  host.configure("dry_run: true\n", Fixture::named_pool());
  auto daemon = host.daemon();
  daemon.start();
  CHECK_FALSE(host.look_up("web.a.b.").has_value());
  host.configure("dry_run: false\n", Fixture::named_pool());
  REQUIRE(daemon.reload().has_value());
  CHECK(host.look_up("web.a.b.").value_or("").starts_with("127.0.0."));
  host.configure("dry_run: false\n", "");
  REQUIRE(daemon.reload().has_value());
  CHECK_FALSE(host.look_up("web.a.b.").has_value());
}

TEST_CASE("daemon outputs: without anything to tell it ends at once") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.start();
  CHECK(host.ask("web/s1") == "up 100%\n");
  ::raise(SIGTERM);
  host.io.run_for(30s);
  CHECK(host.io.stopped());
}
