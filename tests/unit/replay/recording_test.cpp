// The lines of a recording: what is refused and how, what is read, and that nothing is lost.

#include "monitord/recording.hpp"

#include <rapidcheck.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "monitord/recording_reader.hpp"
#include "support/catch.hpp"
#include "unit/monitord/config_support.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const std::string plain =
    R"({"t":12.0,"services":[{"service":"tcp 10.9.9.9:80","scheduler":"wlc","destinations":[)"
    R"({"address":"10.0.0.11:80","weight":10,"connections":123,"active":4}]}],)"
    R"("readings":{"10.0.0.11":{"cpu_busy":0.35,"mem_available":0.7}}})";

const DestinationId web1{service_key("tcp 10.9.9.9:80"), destination_key("10.0.0.11:80")};

std::string with(std::string line, const std::string& from, const std::string& to) {
  const auto place = line.find(from);
  REQUIRE(place != std::string::npos);
  return line.replace(place, from.size(), to);
}

RecordingProblem problem_of(const std::string& line) {
  const auto decoded = cycle_from_line(line);
  REQUIRE_FALSE(decoded.has_value());
  return decoded.error();
}

RecordedCycle cycle_of(const std::string& line) {
  const auto decoded = cycle_from_line(line);
  INFO((decoded ? "" : decoded.error().message));
  REQUIRE(decoded.has_value());
  return decoded->cycle;
}

}  // namespace

TEST_CASE("recording: what is no JSON is refused with its column") {
  const auto [line, column, message] = GENERATE(table<std::string, std::size_t, std::string>({
      {"{", 2, "ends in the middle"},
      {plain.substr(0, 40), 41, "ends in the middle"},
      {plain + "}", plain.size() + 1, "behind the object"},
      {plain + plain, plain.size() + 1, "behind the object"},
      {"{\"t\":12.0,}", 11, "no JSON"},
      {"{'t':12.0}", 2, "no JSON"},
      {"t=12.0", 1, "no JSON"},
      {"{\"t\":NaN}", 6, "no JSON"},
      {std::string("{\"t\":\0}", 7), 6, "no JSON"},
      {std::string(100, '['), 33, "no JSON"},
      {"{\"t\":\"\xff\"}", 7, "no JSON"},
  }));
  INFO(line);
  const auto problem = problem_of(line);
  CHECK(problem.syntax);
  CHECK(problem.column == column);
  CHECK(problem.message.find(message) != std::string::npos);
  CHECK_FALSE(problem.hint.empty());
}

TEST_CASE("recording: a value that does not fit is named with its place") {
  const auto [from, to, message] = GENERATE(table<std::string, std::string, std::string>({
      {plain, "[]", "a list is not an object"},
      {plain, "12", "12 is not an object"},
      {R"("t":12.0,)", "", R"("t" is missing)"},
      {"12.0", R"("12")", R"(t: "12" is not a number)"},
      {"12.0", "1e10", "t: 1e+10 is not a number from"},
      {"12.0", "1e999", "t: "},
      {R"("services")", R"("service")", R"("services" is missing)"},
      {R"("readings")", R"("reading")", R"("readings" is missing)"},
      {"tcp 10.9.9.9:80", "web", R"(services[0].service: "web" is not a service)"},
      {R"("scheduler":"wlc",)", "", R"("scheduler" is missing in services[0])"},
      {R"("wlc")", "null", "services[0].scheduler: null is not a text"},
      {R"("destinations")", R"("servers")", R"("destinations" is missing in services[0])"},
      {"10.0.0.11:80", "10.0.0.11",
       R"(services[0].destinations[0].address: "10.0.0.11" is not a destination)"},
      {R"("weight":10)", R"("weight":-3)", "destinations[0].weight: -3 is not a whole number"},
      {R"("weight":10)", R"("weight":2.5)", "weight: 2.5 is not a whole number"},
      {R"("weight":10)", R"("weight":2147483648)", "from 0 to 2147483647"},
      {R"("weight":10,)", "", R"("weight" is missing in services[0].destinations[0])"},
      {R"("connections":123,)", "", R"("connections" is missing)"},
      {R"(,"active":4)", "", R"("active" is missing)"},
      {R"("active":4)", R"("active":"4")", R"(active: "4" is not a whole number)"},
      {R"("active":4)", R"("active":4,"written":true)", "written: true is not"},
      {R"("active":4)", R"("active":4,"forwarding":"NAT")", R"("NAT" is not a forwarding method)"},
      {R"("active":4)", R"("active":4,"response_s":-1)", "response_s: -1 is not"},
      {R"("10.0.0.11":{)", R"("10.0.0.11:80":{)", "readings.10.0.0.11:80 is not the address"},
      {"0.35", "35", "readings.10.0.0.11.cpu_busy: 35 is not a number from 0 to 1"},
      {"0.7", R"(0.7,"age":-1)", "readings.10.0.0.11.age: -1 is not"},
      {"0.7", R"(0.7,"disk_utilisation":"idle")", "disk_utilisation"},
      {R"({"cpu_busy":0.35,"mem_available":0.7})", "0.35", "0.35 is not an object"},
  }));
  const auto line = with(plain, from, to);
  INFO(line);
  const auto problem = problem_of(line);
  INFO(problem.message);
  CHECK_FALSE(problem.syntax);
  CHECK(problem.message.find(message) != std::string::npos);
}

TEST_CASE("recording: what a file holds does not reach a terminal as it is") {
  const auto line = with(plain, "\"10.0.0.11\":{", "\"\\u001b[2J\":{");
  const auto problem = problem_of(line);
  CHECK(problem.message.find('\x1b') == std::string::npos);
}

TEST_CASE("recording: a line with nothing but what it needs") {
  const auto cycle = cycle_of(plain);
  CHECK(cycle.seen.now == 12s);
  CHECK_FALSE(cycle.start);
  REQUIRE(cycle.seen.table.size() == 1);
  CHECK(cycle.seen.table[0].service.key == web1.service);
  CHECK(cycle.seen.table[0].service.scheduler == "wlc");
  REQUIRE(cycle.seen.table[0].destinations.size() == 1);
  const auto& destination = cycle.seen.table[0].destinations[0];
  CHECK(destination.key == web1.destination);
  CHECK(destination.weight == 10);
  CHECK(destination.statistics.connections == 123);
  CHECK(destination.active_connections == 4);
  CHECK(destination.inactive_connections == 0);
  CHECK(destination.forwarding == ipvs::ForwardingMethod::masquerade);
  REQUIRE(cycle.seen.readings.size() == 1);
  const auto& reading = cycle.seen.readings.at(address("10.0.0.11"));
  CHECK(reading == Reading{12s, 0.35, 0.7, {}, {}, {}});
  CHECK(cycle.written.empty());
  CHECK(cycle.bases.empty());
}

namespace {

std::string full_line() {
  auto line = with(plain, R"("t":12.0)", R"("wall_time":1.5e9,"start":true,"t":12.0)");
  line = with(line, R"("active":4)",
              R"("active":4,"inactive":9,"forwarding":"Tunnel","base":7,"written":14,)"
              R"("response_s":0.25)");
  line = with(line, R"("mem_available":0.7)",
              R"("mem_available":null,"age":1.75,"reason":"no \"M\"","draining":true,)"
              R"("network_utilisation":0.1,"disk_utilisation":0.2,"processes":300,)"
              R"("load_per_cpu":1.5,"cpu_pressure":0.3,"memory_pressure":0.4,"io_pressure":0.5)");
  return line;
}

}  // namespace

TEST_CASE("recording: everything that a line may say") {
  const auto cycle = cycle_of(full_line());
  CHECK(cycle.wall_time == 1.5e9);
  CHECK(cycle.start);
  const auto& destination = cycle.seen.table[0].destinations[0];
  CHECK(destination.inactive_connections == 9);
  CHECK(destination.forwarding == ipvs::ForwardingMethod::tunnel);
  CHECK(cycle.bases == WeightsById{{web1, 7}});
  CHECK(cycle.written == WeightsById{{web1, 14}});
  CHECK(cycle.seen.responses == ResponseTimes{{{web1.service, web1.destination}, 0.25}});
  const auto& reading = cycle.seen.readings.at(address("10.0.0.11"));
  CHECK(reading.taken == 10250ms);
  CHECK_FALSE(reading.mem_available.has_value());
  CHECK(reading.reason == "no \"M\"");
  CHECK(reading.draining);
  CHECK(reading.further.processes == 300.0);
  CHECK(reading.further.io_pressure == 0.5);
  CHECK(cycle_of(line_from_cycle(cycle)) == cycle);
}

TEST_CASE("recording: the manual page names every key") {
  const auto page = text_of_file(LVS_SOURCE_DIR "/man/monitord.8.scd");
  const auto line = line_from_cycle(cycle_of(full_line()));
  std::size_t keys = 0;
  for (std::size_t end = line.find("\":"); end != std::string::npos;
       end = line.find("\":", end + 1)) {
    const auto begin = line.rfind('"', end - 1) + 1;
    const auto key = line.substr(begin, end - begin);
    INFO(key);
    CHECK((page.find("*" + key + "*") != std::string::npos ||
           page.find("\"" + key + "\":") != std::string::npos));
    ++keys;
  }
  CHECK(keys > 25);
}

TEST_CASE("recording: unknown keys are passed over and told") {
  auto line = with(plain, R"("active":4)", R"("active":4,"colour":"red")");
  line = with(line, R"("t":12.0)", R"("t":12.0,"moon":{"phase":1})");
  const auto decoded = cycle_from_line(line);
  REQUIRE(decoded.has_value());
  CHECK(decoded->cycle == cycle_of(plain));
  CHECK(decoded->unknown_keys ==
        std::vector<std::string>{"moon", "services[0].destinations[0].colour"});
}

TEST_CASE("recording: what monitord writes reads as a person would write it") {
  CHECK(line_from_cycle(cycle_of(plain)) == plain + "\n");
}

TEST_CASE("recording: seconds are exact and short") {
  const auto [moment, text] = GENERATE(table<Moment, std::string>({
      {0s, "0.0"},
      {12s, "12.0"},
      {1500ms, "1.5"},
      {Moment{1}, "0.000000001"},
      {4'000'000s + Moment{999'999'999}, "4000000.999999999"},
      {-1500ms, "-1.5"},
      {-Moment{1}, "-0.000000001"},
  }));
  CHECK(seconds_text(moment) == text);
  auto line = with(plain, "12.0", text);
  CHECK(cycle_of(line).seen.now == moment);
}

namespace {

std::optional<double> some_share() {
  if (*rc::gen::inRange(0, 5) == 0) return std::nullopt;
  return *rc::gen::inRange(0, 1'000'000'001) / 1e9;
}

RecordedCycle some_cycle() {
  RecordedCycle cycle;
  cycle.start = *rc::gen::arbitrary<bool>();
  cycle.seen.counters_run = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) cycle.wall_time = *rc::gen::inRange(0, 2'000'000'000) + 0.125;
  cycle.seen.now = Moment{*rc::gen::inRange(std::int64_t{0}, std::int64_t{1} << 51)};
  for (const auto* name : {"tcp 10.9.9.9:80", "udp [2001:db8::9]:53", "fwm 7", "fwm6 7"}) {
    if (*rc::gen::arbitrary<bool>()) continue;
    ipvs::ServiceEntry entry;
    entry.service.key = service_key(name);
    entry.service.scheduler = *rc::gen::element<std::string>("wrr", "sed", "w\"r\\r", "ü");
    for (const auto* server : {"10.0.0.11:80", "[2001:db8::11]:0", "10.0.0.12:65535"}) {
      if (*rc::gen::arbitrary<bool>()) continue;
      auto destination = testing::destination(server, *rc::gen::inRange(0U, 2147483648U));
      destination.statistics.connections = *rc::gen::arbitrary<std::uint64_t>();
      destination.active_connections = *rc::gen::arbitrary<std::uint32_t>();
      destination.inactive_connections = *rc::gen::inRange(0U, 3U);
      destination.forwarding =
          *rc::gen::element(ipvs::ForwardingMethod::masquerade, ipvs::ForwardingMethod::local_node,
                            ipvs::ForwardingMethod::tunnel, ipvs::ForwardingMethod::direct_route,
                            ipvs::ForwardingMethod::bypass);
      const DestinationId id{entry.service.key, destination.key};
      if (*rc::gen::arbitrary<bool>()) cycle.bases[id] = *rc::gen::inRange(0U, 65536U);
      if (*rc::gen::arbitrary<bool>()) cycle.written[id] = *rc::gen::inRange(0U, 65536U);
      if (const auto response = some_share()) {
        cycle.seen.responses[{id.service, id.destination}] = *response;
      }
      entry.destinations.push_back(std::move(destination));
    }
    cycle.seen.table.push_back(std::move(entry));
  }
  for (const auto* server : {"10.0.0.11", "2001:db8::11"}) {
    if (*rc::gen::arbitrary<bool>()) continue;
    Reading reading;
    reading.taken =
        cycle.seen.now - Moment{*rc::gen::inRange(std::int64_t{0}, std::int64_t{1} << 40)};
    reading.cpu_busy = some_share();
    reading.mem_available = some_share();
    reading.reason = *rc::gen::element<std::string>("", "a \"b\"\n\\", "größer");
    reading.draining = *rc::gen::arbitrary<bool>();
    reading.further = {some_share(), some_share(), some_share(), some_share(),
                       some_share(), some_share(), some_share(), {}};
    cycle.seen.readings.emplace(address(server), reading);
  }
  return cycle;
}

}  // namespace

TEST_CASE("recording: a line says everything that it was made from") {
  REQUIRE(rc::check([] {
    const auto cycle = some_cycle();
    const auto line = line_from_cycle(cycle);
    RC_ASSERT(line.find('\n') == line.size() - 1);
    const auto decoded = cycle_from_line(line);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(decoded->cycle == cycle);
    RC_ASSERT(decoded->unknown_keys.empty());
  }));
}

TEST_CASE("recording: only new readings, real writes and observed bases are recorded") {
  Director director;
  director.table = {
      service("tcp:10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}})};
  director.report("10.0.0.11", 0.5, 0.5);
  auto before = director.readings;
  director.now += 2s;
  director.report("10.0.0.12", 0.5, 0.5);
  const Observations seen{director.now, director.table, director.readings, {}};
  State state;
  auto& known = state.services[web1.service].destinations;
  known[web1.destination].base = 7;
  known[destination_key("10.0.0.12:80")] = {.base = 8, .base_configured = true};
  std::vector<Applied> applied{{web1.service, {web1.destination, 10, 9, ""}, {}, ""}};

  const auto recorded = [&](Applied::Result result) {
    applied[0].result = result;
    return recorded_cycle(seen, state, applied, before);
  };
  const auto cycle = recorded(Applied::Result::written);
  CHECK(cycle.written == WeightsById{{web1, 9}});
  CHECK(cycle.bases == WeightsById{{web1, 7}});
  CHECK(cycle.seen.readings.size() == 1);
  CHECK(cycle.seen.readings.contains(address("10.0.0.12")));
  CHECK(recorded(Applied::Result::overwritten).written == WeightsById{{web1, 9}});
  for (const auto result : {Applied::Result::dry_run, Applied::Result::changed_meanwhile,
                            Applied::Result::gone, Applied::Result::failed}) {
    CHECK(recorded(result).written.empty());
  }
}

namespace {

std::string line_at(const std::string& time) {
  return with(plain, "12.0", time);
}

}  // namespace

TEST_CASE("reader: problems come with file and line and a hint") {
  RecordingReader reader;
  reader.begin_file("night.jsonl");
  REQUIRE(reader.cycle(line_at("12.0")).value().has_value());
  CHECK_FALSE(reader.cycle("  \r").value().has_value());
  const auto refused = reader.cycle(with(line_at("14.0"), "0.35", "35"));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error() ==
        "night.jsonl:3:1: error: readings.10.0.0.11.cpu_busy: 35 is not a number from 0 to 1\n");
}

TEST_CASE("reader: lines out of order are refused and say which file order is meant") {
  const auto later = GENERATE(as<std::string>{}, "12.0", "11.999", "-1.0");
  RecordingReader reader;
  reader.begin_file("a");
  REQUIRE(reader.cycle(line_at("12.0")).has_value());
  reader.begin_file("b");
  const auto refused = reader.cycle(line_at(later));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("b:1:1: error: t: ") == 0);
  CHECK(refused.error().find("does not come after 12.0") != std::string::npos);
  CHECK(refused.error().find("FILE.2 FILE.1 FILE") != std::string::npos);
}

TEST_CASE("reader: a new monitord may have an earlier clock") {
  RecordingReader reader;
  reader.begin_file("a");
  REQUIRE(reader.cycle(line_at("12.0")).has_value());
  const auto restarted = reader.cycle(with(line_at("3.0"), "3.0", R"(3.0,"start":true)"));
  REQUIRE(restarted.has_value());
  CHECK(restarted->value().seen.now == 3s);
  CHECK_FALSE(reader.cycle(line_at("3.0")).has_value());
}

TEST_CASE("reader: a last line that is cut off is a warning wherever it is cut") {
  const auto length = GENERATE_COPY(range(std::size_t{1}, plain.size()));
  RecordingReader reader;
  reader.begin_file("a");
  const auto cut = plain.substr(0, length);
  const auto result = reader.cycle(cut, false);
  REQUIRE(result.has_value());
  CHECK_FALSE(result->has_value());
  CHECK(reader.take_warnings().find("a:1:") == 0);
  CHECK(reader.take_warnings().empty());
  CHECK_FALSE(reader.cycle(cut, true).has_value());
}

TEST_CASE("reader: a whole last line without its end is read") {
  RecordingReader reader;
  reader.begin_file("a");
  CHECK(reader.cycle(plain, false).value().has_value());
  CHECK(reader.take_warnings().empty());
}

TEST_CASE("reader: an unknown key is told once") {
  RecordingReader reader;
  reader.begin_file("a");
  const auto odd = [](const std::string& time) {
    return with(line_at(time), R"("active":4)", R"("active":4,"colour":"red")");
  };
  REQUIRE(reader.cycle(odd("1.0")).has_value());
  CHECK(reader.take_warnings() ==
        "a:1:1: warning: services[0].destinations[0].colour: an unknown key is passed over\n");
  REQUIRE(reader.cycle(odd("2.0")).has_value());
  CHECK(reader.take_warnings().empty());
}
