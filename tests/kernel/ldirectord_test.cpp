// ldirectord beside monitord. docs/KEEPALIVED.md tells what is shown here.

#include <chrono>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "kernel/guest.hpp"
#include "kernel/neighbour.hpp"
#include "kernel/process.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;

namespace {

constexpr auto file = "/run/ldirectord.cf";
constexpr std::int64_t absent = -1;  // of weights_seen()

/// Written before ldirectord is started with it.
std::string written_file(const std::string& quiescent) {
  std::ofstream(file) << "checktimeout=2\ncheckinterval=2\nautoreload=no\nquiescent=" << quiescent
                      << "\nlogfile=\"/run/ldirectord.log\"\nvirtual=10.9.9.9:80\n"
                         "\treal=10.2.0.11:80 masq 10\n\treal=10.2.0.12:80 masq 10\n"
                         "\treal=10.2.0.13:80 masq 10\n\tfallback=10.2.0.14:80 masq\n"
                         "\tscheduler=wlc\n\tprotocol=tcp\n\tchecktype=connect\n";
  return file;
}

class Director : public Beside {
 public:
  explicit Director(const std::string& quiescent)
      : Beside(beside_settings()),
        ldirectord_({"/usr/sbin/ldirectord", "-d", written_file(quiescent), "start"},
                    "/run/ldirectord.out") {
    start_monitord_with_pool();
  }

  static std::string log() { return must("tail -n 100 /run/ldirectord.out"); }

 private:
  Process ldirectord_;
};

}  // namespace

TEST_CASE("ldirectord: the 0 of a quiescent server stays until ldirectord takes it back") {
  Director director("yes");
  director.check_that_load_lowers(0, web1, 6);

  director.webs().stop(0);
  REQUIRE(within(60s, [] { return weight_if_there(web1) == 0; }));
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{0});
  CHECK(outcome(web1) == "drained");
  CHECK(base(web1) == 10);
  director.check_that_load_lowers(1, web2, 6);

  director.webs().start(0);
  CAPTURE(Director::log());
  REQUIRE(within(60s, [] { return weight_if_there(web1) != 0; }));
  CHECK(within(30s, [] { return base(web1) == 10 && outcome(web1) != "drained"; }));
  director.check_that_load_lowers(0, web1, 6);
}

TEST_CASE("ldirectord: a server that it has removed is not brought back by anybody else") {
  Director director("no");
  director.check_that_load_lowers(0, web1, 6);

  director.webs().stop(0);
  REQUIRE(within(60s, [] { return !weight_if_there(web1); }));
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{absent});
  director.check_that_load_lowers(1, web2, 6);

  director.webs().start(0);
  CAPTURE(Director::log());
  REQUIRE(within(60s, [] { return weight_if_there(web1).has_value(); }));
  CHECK(within(30s, [] { return base(web1) == 10; }));
  director.check_that_load_lowers(0, web1, 6);
}

TEST_CASE("ldirectord: checks that go well leave the weights that monitord wrote") {
  Director director("yes");
  director.set_load(0, 80);
  director.set_load(1, 40);
  REQUIRE(within(30s, [] { return weight(web1) < 6; }));
  auto const edits = number("foreign_edits");
  REQUIRE(cycles_pass(30));  // some checks
  CAPTURE(Director::log());
  CHECK(number("foreign_edits") == edits);
  CHECK(weight(web1) < 6);  // and not the 10 of the file
}
