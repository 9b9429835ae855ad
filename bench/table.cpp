// table - what reading and writing the kernel's table costs, beside other ways to do it. Replaces
// the table: for a throw-away kernel, `lab/run --module ip_vs -- build/release/bench/table read`.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "bench/measured_row.hpp"
#include "bench/table_reading.hpp"
#include "bench/table_writing.hpp"
#include "cli/exit_status.hpp"
#include "monitord/kept_memory.hpp"

namespace {

namespace bench = lvs::bench;
namespace exit_status = lvs::cli::exit_status;

constexpr std::size_t least_rounds = 5, most_rounds = 1000;

struct Options {
  bool reads{}, writes{};
  std::size_t rounds{7};
  std::size_t slow_changes{1000};
  std::string format{"text"};
};

void append(std::vector<bench::MeasuredRow>& to, std::vector<bench::MeasuredRow> rows) {
  to.insert(to.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

std::vector<bench::MeasuredRow> measured(const Options& options) {
  std::vector<bench::MeasuredRow> rows;
  if (options.reads) {
    append(rows, bench::reading_rows({100, 100}, options.rounds));
    append(rows, bench::reading_rows({2000, 2}, options.rounds));
  }
  if (options.writes) {
    // What a batch re-reads grows with its service: a thousand weights of ten services, of one, and
    // of as many as there are pairs. A process costs the same in all three.
    constexpr std::size_t elsewhere = 100;
    const auto few = std::min(options.slow_changes, elsewhere);
    append(rows, bench::writing_rows({{10, 100}, options.slow_changes}, options.rounds));
    append(rows, bench::writing_rows({{1, 1000}, few}, options.rounds));
    append(rows, bench::writing_rows({{500, 2}, few}, options.rounds));
  }
  return rows;
}

int run(int count, char** values) {
  Options options;
  CLI::App app{"What reading and writing the kernel's IPVS table costs. Replaces the table!",
               "table"};
  app.add_option("--rounds", options.rounds, "How often each is measured")
      ->check(CLI::Range(least_rounds, most_rounds))
      ->capture_default_str();
  app.add_option("--slow-changes", options.slow_changes,
                 "Changes by those that start a process for each; times are extrapolated to 1,000")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("-o,--output", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.fallthrough();  // options may stand behind the commands, too
  const auto* const read = app.add_subcommand("read", "Tables of 100x100 and 2,000x2 destinations");
  const auto* const write = app.add_subcommand("write", "A thousand changed weights");
  app.require_subcommand(1, 2);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  options.reads = read->parsed();
  options.writes = write->parsed();
  const auto rows = measured(options);
  const auto text = options.format == "json" ? bench::rows_json(rows) : bench::rows_text(rows);
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? exit_status::ok : exit_status::failure;
}

}  // namespace

int main(int count, char** values) {
  lvs::monitord::keep_freed_memory();  // as monitord does
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "table: %s\n", error.what());
    return exit_status::failure;
  }
}
