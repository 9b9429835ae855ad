// moving_director COUNT - serves the status page of a director that is made up and moves five times
// a second, at a port of its own, which it prints. COUNT servers are in its first service. A line
// on stdin changes something: "silence" (an agent ends), "add" (one more server). It ends with its
// stdin.

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "../unit/page/support.hpp"
#include "monitord/publisher.hpp"

using namespace lvs::monitord;
using namespace std::chrono_literals;

namespace {

struct Scene {
  unsigned servers{4};
  bool silent{};
};

Verdict made_up(unsigned number, std::uint64_t cycle) {
  auto one = testing::verdict("tcp 10.9.9.9:80", "10.1." + std::to_string(number / 250) + "." +
                                                     std::to_string(number % 250 + 1) + ":80");
  one.server = "web" + std::to_string(number + 1);
  const double phase = static_cast<double>(cycle) / 20 + number;
  one.cpu_busy = 0.5 + 0.35 * std::sin(phase);
  one.composite = 0.6 * (1 - *one.cpu_busy) + 0.2;
  one.current = static_cast<std::uint32_t>(30 + 20 * std::cos(phase));
  one.target = one.current + 1;
  one.active = static_cast<std::uint32_t>(cycle % 50) + number;
  one.new_connections = 10 + number % 7;
  return one;
}

CycleReport report_of(const Scene& scene, std::uint64_t cycle, double wall_time) {
  auto made = testing::report(cycle);
  made.wall_time = wall_time;
  for (unsigned number = 0; number < scene.servers; ++number)
    made.verdicts.push_back(made_up(number, cycle));
  if (scene.silent) {
    auto& last = made.verdicts.back();
    last.outcome = Outcome::silent_hold;
    last.reading = ReadingState::silent;
    last.reason = "last reading 7.0 s ago: weight held";
  }
  return made;
}

Facts facts() {
  Facts made;
  made.host = "lvs1";
  made.config_file = "/etc/monitord/monitord.yaml";
  made.interval = 200ms;
  return made;
}

/// Ten minutes of history at once, so that there is something to see; then five cycles a second.
void run(HttpServer& server, Scene scene) {
  constexpr std::uint64_t before = 300;
  constexpr double begin = 1800000000;
  History history;
  for (std::uint64_t cycle = 1;; ++cycle) {
    const auto report = std::make_shared<const CycleReport>(
        report_of(scene, cycle, begin + 2.0 * static_cast<double>(cycle)));
    history.add(*report);
    history.add(HistoryEvent{report->wall_time, {LogLevel::info, "order", {{"text", "made up"}}}});
    server.publish(std::make_shared<const Published>(Published{report, history, facts()}));
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, cycle <= before ? 0 : 200) <= 0) continue;
    std::string word;
    if (!std::getline(std::cin, word)) return;
    if (word == "silence") scene.silent = true;
    if (word == "add") ++scene.servers;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Scene scene;
  if (argc > 1) scene.servers = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  HttpServer server([](const HttpRequest& request, const Published& published) {
    return http_answer(request, published, {});
  });
  if (const auto opened = server.open("127.0.0.1:0"); !opened) {
    std::fprintf(stderr, "%s\n", opened.error().c_str());
    return 1;
  }
  std::printf("%u\n", server.port());
  std::fflush(stdout);
  run(server, scene);
}
