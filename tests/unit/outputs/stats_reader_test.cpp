// A stats socket as HAProxy has it, and as it should not be.

#include "monitord/outputs/stats_reader.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;
using boost::asio::local::stream_protocol;
using boost::system::error_code;
using lvs::testing::ScratchFolder;

namespace {

const std::string good =
    "# pxname,svname,scur,stot,bin,status,weight,\nbe,s1,1,2,3,UP,4,\nbe,s2,5,6,7,UP,8,\n\n";

/// Answers every command with `reply` and closes, or does not.
struct Haproxy {
  struct Client {
    stream_protocol::socket socket;
    std::array<char, 256> buffer{};
  };
  stream_protocol::acceptor acceptor;
  std::string reply{good};
  bool closes{true};
  std::vector<std::string> asked{};
  std::list<Client> clients{};

  Haproxy(boost::asio::io_context& io, const std::string& path)
      : acceptor(io, stream_protocol::endpoint(path)) {
    accept();
  }
  void accept() {
    acceptor.async_accept([this](error_code failure, stream_protocol::socket socket) {
      if (failure) return;
      answer(clients.emplace_back(Client{std::move(socket)}));
      accept();
    });
  }
  void answer(Client& client) {
    client.socket.async_read_some(
        boost::asio::buffer(client.buffer), [this, &client](error_code failure, std::size_t size) {
          if (failure) return;
          asked.emplace_back(client.buffer.data(), size);
          error_code ignored;
          boost::asio::write(client.socket, boost::asio::buffer(reply), ignored);
          if (closes) client.socket.close(ignored);
        });
  }
};

struct Fixture {
  ScratchFolder folder{};
  boost::asio::io_context io{};
  std::string path = folder.file("admin.sock");
  std::vector<std::size_t> rows{};
  StatsReader reader{io, [this](const std::string&, std::span<const ServerStats> stats) {
                       rows.push_back(stats.size());
                     }};

  Fixture() { reader.configure({path}); }

  /// Until one more answer, or one more failure, is there.
  void one_cycle() {
    auto const before = reader.counters().read + reader.counters().failed;
    reader.begin_cycle();
    io.restart();  // it may have run out of work before
    while (reader.counters().read + reader.counters().failed == before && io.run_one_for(30s) > 0) {
    }
  }
};

}  // namespace

TEST_CASE("stats reader: a socket that is not there is a note until it answers") {
  Fixture host;
  host.one_cycle();
  CHECK(host.reader.counters().failed == 1);
  REQUIRE(host.reader.notes().size() == 1);
  CHECK(host.reader.notes()[0].starts_with("no counters from HAProxy's stats socket " + host.path));
  Haproxy const haproxy(host.io, host.path);
  host.one_cycle();
  CHECK(host.reader.notes().empty());
  CHECK(host.rows == std::vector<std::size_t>{2});
}

TEST_CASE("stats reader: it asks for the servers and nothing else") {
  Fixture host;
  Haproxy const haproxy(host.io, host.path);
  host.one_cycle();
  CHECK(haproxy.asked == std::vector<std::string>{"show stat -1 4 -1\n"});
  CHECK(host.reader.counters().read == 1);
}

TEST_CASE("stats reader: what is no answer is told and gives nothing") {
  Fixture host;
  Haproxy haproxy(host.io, host.path);
  haproxy.reply = "Permission denied\n";
  host.one_cycle();
  CHECK(host.rows.empty());
  CHECK(host.reader.notes().at(0).find("it has no header") != std::string::npos);
}

TEST_CASE("stats reader: an answer that does not end is given up, and asked for again") {
  Fixture host;
  Haproxy haproxy(host.io, host.path);
  haproxy.closes = false;
  host.reader.begin_cycle();
  host.reader.begin_cycle();  // it still owes an answer
  while (host.reader.counters().failed == 0 && host.io.run_one_for(30s) > 0) {
  }
  CHECK(haproxy.asked.size() == 1);
  CHECK(host.rows.empty());
  CHECK(host.reader.notes().at(0).ends_with("it does not answer in time"));
  haproxy.closes = true;
  host.one_cycle();
  CHECK(host.rows.size() == 1);
}

TEST_CASE("stats reader: who is not to be asked any more says nothing") {
  Fixture host;
  Haproxy haproxy(host.io, host.path);
  haproxy.closes = false;
  host.reader.begin_cycle();
  host.io.poll();
  host.reader.configure({});
  host.reader.begin_cycle();
  host.io.run_for(100ms);
  CHECK(host.rows.empty());
  CHECK(host.reader.counters() == StatsCounters{});
  CHECK(host.reader.notes().empty());
}
