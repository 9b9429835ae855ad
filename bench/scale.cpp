// scale - what monitord costs by the number of real servers: the daemon itself, its agents answered
// by bench/responder on loopback, the kernel's table stood for by one in memory. Each size runs in
// a process of its own, for its memory is measured.

#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/child.hpp"
#include "bench/loopback_servers.hpp"
#include "bench/scale_json.hpp"
#include "bench/scale_report.hpp"
#include "bench/scale_run.hpp"
#include "bench/slow_reader.hpp"
#include "cli/exit_status.hpp"
#include "monitord/kept_memory.hpp"

namespace {

namespace bench = lvs::bench;
namespace exit_status = lvs::cli::exit_status;

struct Options {
  std::vector<std::size_t> servers{10, 100, 1'000, 10'000};
  std::size_t rounds{5};
  bool quick{};
  double interval_s{2};
  bool slow_reader{};
  std::string format{"text"};
  bench::ScaleOptions scale{};
  std::size_t one{};     ///< this process measures so many servers
  std::uint16_t read{};  ///< this process is a slow reader of that port
  std::size_t read_bytes{std::size_t{1} << 20U};
};

/// Of the process that measures `servers`.
std::vector<std::string> command_for(const Options& options, std::size_t servers) {
  const auto& scale = options.scale;
  std::vector<std::string> command{bench::own_path(),
                                   "--one",
                                   std::to_string(servers),
                                   "--seconds",
                                   std::to_string(scale.seconds),
                                   "--warm-up",
                                   std::to_string(scale.warm_up),
                                   "--interval",
                                   std::to_string(options.interval_s),
                                   "--swing",
                                   std::to_string(scale.swing),
                                   "--log-level",
                                   scale.log_level,
                                   "--responder",
                                   scale.responder,
                                   "--read-bytes",
                                   std::to_string(options.read_bytes)};
  if (options.slow_reader) command.emplace_back("--slow-reader");
  return command;
}

/// Throws std::runtime_error when the process fails; it has said why.
bench::ScaleRow measured_by_process(const Options& options, std::size_t servers) {
  auto child = bench::Child::start(command_for(options, servers));
  if (!child) throw std::runtime_error(child.error());
  const auto text = child->rest();
  if (child->wait() != exit_status::ok) {
    throw std::runtime_error(std::to_string(servers) + " servers were not measured");
  }
  const auto row = bench::scale_row_from_json(text);
  if (!row) throw std::runtime_error(row.error());
  return *row;
}

int print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? exit_status::ok : exit_status::failure;
}

int measure_one(const Options& options) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const auto row = bench::measured_scale(options.one, options.scale);
  if (!row) throw std::runtime_error(row.error());
  return print(boost::json::serialize(bench::object_from_scale_row(*row)) + "\n");
}

/// The sizes in turn, and all of them again: what happens on the machine meanwhile meets all.
int measure_all(const Options& options) {
  bench::ScaleRounds rounds;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    for (const auto servers : options.servers) {
      std::fprintf(stderr, "scale: %zu servers, round %zu of %zu\n", servers, round + 1,
                   options.rounds);
      rounds.push_back(measured_by_process(options, servers));
    }
  }
  return print(options.format == "json" ? bench::scale_json(rounds) : bench::scale_text(rounds));
}

void add_options(CLI::App& app, Options& options) {
  auto& scale = options.scale;
  const CLI::Range sizes(std::size_t{1}, bench::most_servers);
  app.add_option("--servers", options.servers, "Sizes: 10,100,1000,10000 unless told otherwise")
      ->delimiter(',')
      ->check(sizes);
  app.add_option("--rounds", options.rounds, "How often each size is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "One round of 10 seconds: to see that it works");
  app.add_option("--seconds", scale.seconds, "For how long each time, after the warm-up")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  app.add_option("--warm-up", scale.warm_up, "Cycles that are not measured")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--interval", options.interval_s, "Seconds between two cycles")
      ->check(CLI::Range(0.6, 60.0))
      ->capture_default_str();
  app.add_option("--swing", scale.swing, "By which share of itself the load of each server moves")
      ->check(CLI::Range(0.0, bench::most_swing))
      ->capture_default_str();
  app.add_flag("--slow-reader", options.slow_reader,
               "Somebody reads the page and the metrics all the while, slowly");
  app.add_option("--read-bytes", options.read_bytes, "Bytes per second that the slow reader takes")
      ->check(CLI::Range(std::size_t{1'000}, std::size_t{1'000'000'000}))
      ->capture_default_str();
  app.add_option("--log-level", scale.log_level, "Of the log, which is thrown away")
      ->check(CLI::IsMember({"off", "debug", "info", "warning", "error"}))
      ->capture_default_str();
  app.add_option("--responder", scale.responder, "The program that answers, beside this one");
  app.add_option("-o,--output", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  // Of the processes that it starts itself.
  app.add_option("--one", options.one)->group("")->check(sizes);
  app.add_option("--read", options.read)->group("");
}

int run(int count, char** values) {
  Options options;
  options.scale.responder = bench::own_folder() + "/responder";
  CLI::App app{"What monitord costs by the number of real servers", "scale"};
  add_options(app, options);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  if (options.read != 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    bench::read_slowly(options.read, options.read_bytes);
  }
  if (options.quick) {
    options.rounds = 1;
    options.scale.seconds = 10;
  }
  const std::chrono::duration<double> interval(options.interval_s);
  options.scale.interval = std::chrono::duration_cast<std::chrono::nanoseconds>(interval);
  if (options.slow_reader) options.scale.reader_bytes = options.read_bytes;
  return options.one != 0 ? measure_one(options) : measure_all(options);
}

}  // namespace

int main(int count, char** values) {
  lvs::monitord::keep_freed_memory();  // as monitord does
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scale: %s\n", error.what());
    return exit_status::failure;
  }
}
