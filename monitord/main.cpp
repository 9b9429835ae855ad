// monitord: the command line, and who is wired to whom.

#include <fmt/format.h>
#include <sys/random.h>

#include <CLI/CLI.hpp>
#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "cli/exit_status.hpp"
#include "cli/not_empty.hpp"
#include "cli/parse.hpp"
#include "ipvs/netlink_table.hpp"
#include "monitord/background.hpp"
#include "monitord/config_files.hpp"
#include "monitord/configuration.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/estimation.hpp"
#include "monitord/instance_lock.hpp"
#include "monitord/kept_memory.hpp"
#include "monitord/logging.hpp"
#include "monitord/once.hpp"
#include "monitord/report.hpp"
#include "monitord/rights.hpp"
#include "monitord/state_journal.hpp"

namespace {

using namespace lvs;
using namespace lvs::monitord;

constexpr int exit_ok = cli::exit_status::ok;
constexpr int exit_failure = cli::exit_status::failure;
constexpr int exit_usage = cli::exit_status::usage;
constexpr int exit_config = cli::exit_status::bad_file;
constexpr const char* version = MONITORD_VERSION;

struct Options {
  std::string config_file{default_config_file};
  bool config_given{};
  bool check{}, quiet{}, once{}, show_config{};
  Overrides overrides{};
};

int fail(int code, const std::string& message) {
  fmt::print(stderr, "monitord: {}\n", message);
  return code;
}

/// Unpredictable: a reply is believed because it knows its nonce. A system call a block, not one a
/// nonce.
class RandomNonces {
 public:
  std::uint64_t operator()() {
    if (next_ == block_.size()) refill();
    return block_[next_++];
  }

 private:
  void refill() {
    // getrandom(2): up to 256 bytes come whole or not at all.
    static_assert(sizeof(block_) <= 256);
    if (::getrandom(block_.data(), sizeof(block_), 0) != static_cast<ssize_t>(sizeof(block_))) {
      throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    next_ = 0;
  }

  std::array<std::uint64_t, 32> block_{};
  std::size_t next_{block_.size()};
};

int check_config(const Options& options) {
  const auto configuration = read_configuration(options.config_file, options.overrides);
  if (!configuration) {
    fmt::print(stderr, "{}", configuration.error());
    return exit_config;
  }
  fmt::print(stderr, "{}", configuration->warnings);
  if (options.quiet) return exit_ok;
  for (const auto& note : configuration->notes)
    fmt::print("note: {}\n", note);
  fmt::print("{}: ok\n", options.config_file);
  return exit_ok;
}

int show_config(const Configuration& configuration) {
  fmt::print("{}", shown_configuration(configuration));
  return exit_ok;
}

/// 1 where the kernel's table cannot be read.
int show(const CycleReport& report) {
  fmt::print("{}", table_from_report(report));
  return report.degraded.empty() ? exit_ok : exit_failure;
}

/// A look at the table touches nothing: no lock, no journal.
int look(const Configuration& configuration) {
  auto memory = StateJournal::peek(configuration.config.state_file, boot_id());
  if (auto done = give_up_rights(); !done) return fail(exit_failure, done.error());
  ipvs::NetlinkTable table;
  return show(
      report_once(configuration, version, {table, nullptr, RandomNonces{}}, std::move(memory)));
}

/// "1.2.1"; empty: the kernel does not say.
std::string kernel_version(ipvs::NetlinkTable& table) {
  const auto info = table.info();
  if (!info) return {};
  const auto part = [&](unsigned shift) { return info->version >> shift & 0xffU; };
  return fmt::format("{}.{}.{}", part(16), part(8), part(0));
}

int act(const Options& options, Configuration configuration) {
  auto lock = InstanceLock::acquire();
  if (!lock) return fail(exit_failure, lock.error());
  if (auto done = give_up_rights(configuration); !done) {
    return fail(exit_failure, done.error());
  }
  BackgroundWorker worker;
  StateJournal journal(configuration.config.state_file, boot_id(),
                       [&worker](std::function<void()> work) { worker.run(std::move(work)); });
  auto memory = journal.open();
  if (!memory) return fail(exit_failure, memory.error());

  ipvs::NetlinkTable table;
  if (options.once) {
    return show(
        report_once(configuration, version, {table, &journal, RandomNonces{}}, *std::move(memory)));
  }
  boost::asio::io_context io(1);
  const auto kernel = kernel_version(table);
  Daemon daemon(
      io, {options.config_file, options.overrides, version}, std::move(configuration),
      {table, journal, &*lock, boottime_now, RandomNonces{}, kernel, [] { return counters_run(); }},
      *std::move(memory));
  daemon.start();
  io.run();
  return daemon.exit_code();
}

bool is_there(const std::string& file) {
  return ::access(file.c_str(), F_OK) == 0 || errno != ENOENT;
}

int run(const Options& options) {
  if (options.check) return check_config(options);
  const bool bare = !options.config_given && !is_there(options.config_file) &&
                    !is_there(folder_beside(options.config_file));
  if (bare && !options.overrides.dry_run && !options.show_config) {
    return fail(exit_config, fmt::format("no configuration at {}; `monitord --dry-run` shows the "
                                         "table without one",
                                         options.config_file));
  }
  if (bare && !options.overrides.record_file.empty()) {
    return fail(exit_usage, fmt::format("--record needs a configuration; there is none at {}",
                                        options.config_file));
  }
  auto configuration = bare ? default_configuration(options.overrides)
                            : read_configuration(options.config_file, options.overrides);
  if (!configuration) {
    fmt::print(stderr, "{}", configuration.error());
    return exit_config;
  }
  fmt::print(stderr, "{}", configuration->warnings);
  if (options.show_config) return show_config(*configuration);
  set_up_log(configuration->config.log_level, configuration->config.log_format);
  // Without a configuration there is nothing to watch over: one look, and what is missing.
  if (bare || (options.once && configuration->config.dry_run)) return look(*configuration);
  return act(options, *std::move(configuration));
}

int parsed(int argc, char** argv, Options& options) {
  CLI::App app{"Load feedback for Linux Virtual Server: keeps IPVS weights right.", "monitord"};
  app.footer(
      "Exit status: 0 done, 1 failed, 2 usage, 78 a configuration with mistakes.\n"
      "Examples: monitord --once --dry-run      what would be written now\n"
      "          monitord --check-config        every problem of the configuration\n"
      "          monitord --dry-run             run, and write nothing\n"
      "          monitord --record night.jsonl  record for monitorctl replay\n");
  auto* const config = app.add_option("-c,--config", options.config_file, "Configuration file")
                           ->type_name("FILE")
                           ->check(cli::not_empty)
                           ->capture_default_str();
  auto* const check =
      app.add_flag("-t,--check-config", options.check, "Check the configuration and exit");
  app.add_flag("-q,--quiet", options.quiet, "With --check-config: say nothing when it is good");
  auto* const shown =
      app.add_flag("--show-config", options.show_config,
                   "Print the configuration in effect, with the origin of every value, and exit")
          ->excludes(check);
  app.add_flag("-n,--dry-run", options.overrides.dry_run, "Never write a weight");
  auto* const once =
      app.add_flag("--once", options.once, "Decide once, print the verdicts and exit");
  app.add_option("--log-level", options.overrides.log_level, "Over the configuration's")
      ->type_name("debug|info|warning|error")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}).description(""));
  app.add_option("--log-format", options.overrides.log_format, "Over the configuration's")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  app.add_option("--record", options.overrides.record_file,
                 "Record every cycle for `monitorctl replay`")
      ->type_name("FILE")
      ->check(cli::not_empty)
      ->excludes(once)
      ->excludes(check)
      ->excludes(shown);
  app.set_version_flag("--version", fmt::format("monitord {}", version));
  if (const auto status = cli::parse_or_print(app, argc, argv)) return *status;
  options.config_given = config->count() > 0;
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  // A reader of stderr or of the control socket that goes away must not end the loop.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    Options options;
    return parsed(argc, argv, options);
  } catch (const std::exception& error) {
    return fail(exit_failure, error.what());
  }
}
