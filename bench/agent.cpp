// agent - what a reading costs on a real server: realserver-agent's own code, and the program,
// beside the floor of two files of /proc that are kept open and a parse.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "bench/agent_floor.hpp"
#include "bench/agent_parts.hpp"
#include "bench/agent_process.hpp"
#include "bench/child.hpp"
#include "bench/measured_row.hpp"
#include "cli/exit_status.hpp"

namespace {

namespace bench = lvs::bench;
namespace exit_status = lvs::cli::exit_status;

constexpr int row_number = 6;

struct Options {
  std::size_t rounds{7};
  std::size_t turns{2000};  ///< of each part in a round
  unsigned readings{40};    ///< of the program in a round
  std::string program{};
  bool quick{};
  std::string format{"text"};
};

/// CPU microseconds of this thread so far.
double cpu_us() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

template <typename Work>
double us_per_turn(std::size_t turns, Work work) {
  const auto before = cpu_us();
  for (std::size_t turn = 0; turn < turns; ++turn)
    work();
  return (cpu_us() - before) / static_cast<double>(turns);
}

struct Samples {
  std::vector<double> floor{}, sample{}, answer{}, reading{}, usual{}, program{};
};

/// All of them in turn: what happens on the machine meanwhile meets all.
Samples measured(const Options& options) {
  const bench::AgentFloor floor;
  bench::AgentParts parts;
  bench::AgentProcess process(options.program);
  Samples samples;
  std::uint64_t busy = 0;  // so that nobody optimises the floor away
  for (std::size_t round = 0; round < options.rounds; ++round) {
    samples.floor.push_back(us_per_turn(options.turns, [&] { busy += floor.read().busy; }));
    samples.sample.push_back(us_per_turn(options.turns, [&] { parts.take_sample(); }));
    samples.answer.push_back(us_per_turn(options.turns, [&] { parts.answer(); }));
    samples.reading.push_back(samples.sample.back() + samples.answer.back());
    // By default an agent samples every second and is asked every two.
    samples.usual.push_back(2 * samples.sample.back() + samples.answer.back());
    samples.program.push_back(1e6 * process.cpu_s_per_reading(options.readings));
  }
  if (busy == 0 || parts.answered() == 0) std::fputs("agent: nothing was read\n", stderr);
  return samples;
}

std::vector<bench::MeasuredRow> rows_from(const Samples& samples) {
  const auto row = [&](const char* what, const std::vector<double>& of, const char* note) {
    return bench::MeasuredRow{
        row_number, "us of CPU", {what, of}, {"two preads and a parse", samples.floor}, {}, note};
  };
  return {row("a snapshot of everything", samples.sample, "in this process, no socket"),
          row("an answer", samples.answer, "request checked, reply made; no socket"),
          row("a reading: a snapshot and an answer", samples.reading, "in this process, no socket"),
          row("a reading at the defaults: two snapshots, an answer", samples.usual,
              "sampled each second, asked each two"),
          row("a reading of realserver-agent", samples.program,
              "the program: a snapshot, an answer, its sockets and timers")};
}

int run(int count, char** values) {
  Options options;
  options.program = bench::own_folder() + "/../realserver-agent/realserver-agent";
  CLI::App app{"What a reading costs on a real server", "agent"};
  app.add_option("--rounds", options.rounds, "How often each is measured")
      ->check(CLI::Range(5, 1000))
      ->capture_default_str();
  app.add_option("--turns", options.turns, "Times that a part is done in a round")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--readings", options.readings, "Readings of the program in a round, 10 a second")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "Fewer of all: to see that it works");
  app.add_option("--agent", options.program, "Path of realserver-agent");
  app.add_option("-o,--output", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  if (options.quick) {
    options.rounds = 5;
    options.turns = 200;
    options.readings = 10;
  }
  const auto rows = rows_from(measured(options));
  const auto text = options.format == "json" ? bench::rows_json(rows) : bench::rows_text(rows);
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? exit_status::ok : exit_status::failure;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "agent: %s\n", error.what());
    return exit_status::failure;
  }
}
