// keepalived beside monitord: it owns the table and says who is alive, monitord shifts weights.
// The real programs on a real kernel, and web servers that really fail. docs/KEEPALIVED.md tells
// what is shown here.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "kernel/guest.hpp"
#include "kernel/neighbour.hpp"
#include "kernel/process.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;

namespace {

constexpr auto file = "/run/keepalived.conf";
constexpr std::int64_t absent = -1;  // of weights_seen()

// A keyword a line: of two on one line keepalived does not see the second.
const std::string http_check =
    "HTTP_GET {\nurl {\npath /\nstatus_code 200\n}\nconnect_timeout 1\nretry 1\n"
    "delay_before_retry 1\n}";

struct RealServer {
  std::string address{};
  int weight{10};
  std::string rest{};  ///< its check and more
};

void write_file(const std::vector<RealServer>& servers, const std::string& of_the_service = "") {
  std::ofstream out(file);
  out << "global_defs {\n  script_user root\n  enable_script_security\n}\n"
      << "virtual_server 10.9.9.9 80 {\n  delay_loop 1\n  lb_algo wlc\n  lb_kind NAT\n"
      << "  protocol TCP\n"
      << of_the_service << "\n";
  for (auto const& server : servers) {
    out << "  real_server " << server.address << " 80 {\n    weight " << server.weight << "\n    "
        << server.rest << "\n  }\n";
  }
  out << "}\n";
}

std::vector<RealServer> three(const std::string& rest) {
  return {{"10.2.0.11", 10, rest}, {"10.2.0.12", 10, rest}, {"10.2.0.13", 10, rest}};
}

/// The exit status of the script from now on. Replaced at once: half of it would be another one.
void script_says(int status) {
  must("echo " + std::to_string(status) + " >/run/says.new && mv /run/says.new /run/says");
}

/// keepalived's checkers and monitord, and web servers for both.
class Director : public Beside {
 public:
  explicit Director(const std::string& settings = beside_settings()) : Beside(settings) {
    start_monitord_with_pool();
  }

  /// Waits until keepalived has done with it.
  void reload() {
    auto const before = reloads();
    ::kill(keepalived_.pid(), SIGHUP);
    REQUIRE(within(30s, [&] { return reloads() > before; }));
  }

  /// It takes its services away when it ends.
  void stop() { (void)keepalived_.end(SIGTERM); }
  void start() { keepalived_ = started(); }

  static std::string log() { return text_of("/run/keepalived.log"); }

 private:
  static int reloads() {
    return std::stoi(must("grep -c 'Reload complete' /run/keepalived.log || true"));
  }

  static Process started() {
    return Process({"/usr/sbin/keepalived", "--dont-fork", "--log-console", "--log-detail",
                    "--check", "--use-file", file},
                   "/run/keepalived.log");
  }

  Process keepalived_{started()};
};

}  // namespace

TEST_CASE("keepalived: the 0 of a failed check stays until keepalived takes it back") {
  write_file(three("inhibit_on_failure\n    " + http_check));
  Director director;
  director.check_that_load_lowers(0, web1, 6);
  auto const edits = number("foreign_edits");

  director.webs().stop(0);
  REQUIRE(within(30s, [] { return weight_if_there(web1) == 0; }));
  CHECK(within(30s, [] { return outcome(web1) == "drained"; }));
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{0});
  CHECK(outcome(web1) == "drained");
  CHECK(base(web1) == 10);
  CHECK(number("foreign_edits") > edits);
  director.check_that_load_lowers(1, web2, 6);  // the others are steered all the same

  director.restart_monitord();  // a new one knows the 0 for somebody else's, and the base
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{0});
  CHECK(outcome(web1) == "drained");
  CHECK(base(web1) == 10);

  director.webs().start(0);
  CAPTURE(Director::log());
  REQUIRE(within(30s, [] { return weight_if_there(web1) != 0; }));
  CHECK(within(30s, [] { return base(web1) == 10 && outcome(web1) != "drained"; }));
  director.check_that_load_lowers(0, web1, 6);
  CHECK(base(web1) == 10);
}

TEST_CASE("keepalived: a destination that it has removed is not brought back by anybody else") {
  write_file(three(http_check));
  Director director;
  director.check_that_load_lowers(0, web1, 6);

  director.webs().stop(0);
  REQUIRE(within(30s, [] { return !weight_if_there(web1); }));
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{absent});
  CHECK(destination(web1).empty());
  director.check_that_load_lowers(1, web2, 6);

  director.webs().start(0);
  CAPTURE(Director::log());
  REQUIRE(within(30s, [] { return weight_if_there(web1).has_value(); }));
  CHECK(within(30s, [] { return base(web1) == 10; }));
  director.check_that_load_lowers(0, web1, 6);
}

TEST_CASE("keepalived: a reload of an unchanged file leaves the weights that monitord wrote") {
  write_file(three(http_check));
  Director director;
  director.set_load(0, 80);
  director.set_load(1, 40);
  REQUIRE(within(30s, [] { return weight(web1) < 6; }));
  auto const edits = number("foreign_edits");

  director.reload();
  REQUIRE(cycles_pass(10));
  CAPTURE(Director::log());
  CHECK(number("foreign_edits") == edits);
  CHECK(weight(web1) < 6);  // and not the 10 of the file
  CHECK(base(web1) == 10);
}

TEST_CASE("keepalived: a weight changed in its file becomes the base of that server alone") {
  write_file(three(http_check));
  Director director;
  director.check_that_load_lowers(0, web1, 6);
  auto const edits = number("foreign_edits");

  auto servers = three(http_check);
  servers[0].weight = 40;
  write_file(servers);
  director.reload();
  CAPTURE(Director::log());
  CHECK(within(30s, [] { return base(web1) == 40; }));
  CHECK(number("foreign_edits") == edits + 1);
  CHECK(base(web2) == 10);
  CHECK(base(web3) == 10);
  CHECK(within(30s, [] { return weight(web1) > 30; }));
  director.check_that_load_lowers(0, web1, 20);  // it is steered from its new base
  CHECK(base(web1) == 40);
}

TEST_CASE("keepalived: a base that monitord's configuration names stays whatever is written") {
  write_file(three(http_check));
  Director director(beside_settings(", base: 10"));
  auto servers = three(http_check);
  servers[0].weight = 40;
  write_file(servers);
  auto const edits = number("foreign_edits");
  director.reload();
  CAPTURE(Director::log());
  REQUIRE(within(30s, [&] { return number("foreign_edits") == edits + 1; }));
  CHECK(base(web1) == 10);
  CHECK(within(30s, [] { return weight(web1) < 15; }));  // of 40, back to what it is worth
}

TEST_CASE("keepalived: a sorry server takes over and is handed no load feedback") {
  // A quorum is a sum of weights, of keepalived's own: two of three servers have to be alive.
  write_file(three(http_check), "  quorum 15\n  sorry_server 10.2.0.14 80");
  Director director;
  director.check_that_load_lowers(0, web1, 6);

  director.webs().stop(0);
  director.webs().stop(1);
  CAPTURE(Director::log());
  REQUIRE(within(60s, [] { return weight_if_there(sorry) && weights().size() == 1; }));
  REQUIRE(cycles_pass(2));
  auto const writes = number("writes");
  CHECK(director.weights_seen(sorry, 20) == std::set<std::int64_t>{1});
  CHECK(number("writes") == writes);
  CHECK(weights().size() == 1);  // what keepalived took out stays out

  director.webs().start(0);
  director.webs().start(1);
  REQUIRE(within(60s, [] { return !weight_if_there(sorry) && weights().size() == 3; }));
  for (auto const& server : {web1, web2, web3}) {
    CAPTURE(server);
    CHECK(within(30s, [&] { return base(server) == 10; }));
  }
  director.check_that_load_lowers(2, web3, 6);
}

TEST_CASE("keepalived: the weight of a misc_dynamic script is the base until it says another one") {
  script_says(12);  // weight 10
  std::ofstream("/run/weight") << "#!/bin/sh\nexit \"$(cat /run/says)\"\n";
  must("chmod 755 /run/weight");
  auto servers = three(http_check);
  servers[0].rest = "MISC_CHECK {\nmisc_path /run/weight\nmisc_timeout 5\nmisc_dynamic\n}";
  write_file(servers);
  Director director;
  director.check_that_load_lowers(0, web1, 6);

  script_says(42);
  CAPTURE(Director::log());
  REQUIRE(within(30s, [] { return base(web1) == 40; }));
  director.check_that_load_lowers(0, web1, 20);
  auto const edits = number("foreign_edits");
  REQUIRE(cycles_pass(20));  // the script goes on saying 42, and keepalived writes nothing
  CHECK(number("foreign_edits") == edits);
  CHECK(base(web1) == 40);

  script_says(2);
  REQUIRE(within(30s, [] { return weight_if_there(web1) == 0; }));
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{0});
  CHECK(base(web1) == 40);

  script_says(22);
  CHECK(within(30s, [] { return base(web1) == 20; }));
  director.check_that_load_lowers(0, web1, 11);
}

TEST_CASE("keepalived: after its restart its weights are the bases again") {
  write_file(three(http_check));
  Director director;
  director.check_that_load_lowers(0, web1, 6);

  director.stop();
  REQUIRE(within(30s, [] { return weights().empty(); }));
  REQUIRE(cycles_pass(6));
  CHECK(weights().empty());

  auto servers = three(http_check);
  servers[0].weight = 20;
  write_file(servers);
  director.start();
  CAPTURE(Director::log());
  REQUIRE(within(60s, [] { return weights().size() == 3; }));
  CHECK(within(30s, [] { return base(web1) == 20 && base(web2) == 10 && base(web3) == 10; }));
  director.check_that_load_lowers(0, web1, 11);
}
