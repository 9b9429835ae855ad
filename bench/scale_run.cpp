#include "bench/scale_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "bench/child.hpp"
#include "bench/loopback_servers.hpp"
#include "bench/moving_table.hpp"
#include "bench/scale_window.hpp"
#include "monitord/background.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "plainfile/plain_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace lvs::bench {
namespace {

/// Log lines are made as they would be, and nobody reads them.
class QuietStderr {
 public:
  QuietStderr() : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    ::dup2(nowhere.get(), STDERR_FILENO);
  }
  ~QuietStderr() { ::dup2(before_.get(), STDERR_FILENO); }
  QuietStderr(const QuietStderr&) = delete;
  QuietStderr& operator=(const QuietStderr&) = delete;

 private:
  FileDescriptor before_;
};

/// As monitord has them: a system call a block.
class Nonces {
 public:
  std::uint64_t operator()() {
    if (next_ == block_.size()) {
      if (::getrandom(block_.data(), sizeof block_, 0) != static_cast<ssize_t>(sizeof block_)) {
        throw std::system_error(errno, std::generic_category(), "getrandom");
      }
      next_ = 0;
    }
    return block_[next_++];
  }

 private:
  std::array<std::uint64_t, 32> block_{};
  std::size_t next_{block_.size()};
};

/// A TCP port of 127.0.0.1 that was free a moment ago; 0: there is none.
std::uint16_t free_port() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in local{};
  local.sin_family = AF_INET;
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const address = reinterpret_cast<sockaddr*>(&local);
  socklen_t length = sizeof local;
  const bool is_bound = ::bind(socket.get(), address, length) == 0 &&
                        ::getsockname(socket.get(), address, &length) == 0;
  return is_bound ? ntohs(local.sin_port) : std::uint16_t{0};
}

monitord::Configuration configuration_for(const testing::ScratchFolder& folder,
                                          std::uint16_t agent_port, std::uint16_t page_port,
                                          const ScaleOptions& options) {
  monitord::Configuration configuration;
  auto& config = configuration.config;
  config.dry_run = false;
  config.interval = options.interval;
  config.agent.port = agent_port;
  config.control_socket = folder.file("control.sock");
  config.state_file = folder.file("state.journal");
  config.log_level = options.log_level;
  config.http.listen = fmt::format("127.0.0.1:{}", page_port);
  configuration.keys.push_back({master_id, master_key()});
  return configuration;
}

/// Of a line "VmRSS:      1234 kB" of /proc/self/status; 0 where there is none.
double status_mib(std::string_view status, std::string_view key) {
  const auto line = status.find(key);
  if (line == std::string_view::npos) return 0;
  const auto number = status.find_first_of("0123456789", line);
  double kib = 0;
  if (number != std::string_view::npos) {
    std::from_chars(status.data() + number, status.data() + status.size(), kib);
  }
  return kib / 1024;
}

void add_memory(ScaleRow& row, const ScaleOptions& options) {
  constexpr std::size_t longest_status = 65536;
  const auto status = plainfile::text_from_file("/proc/self/status", longest_status);
  if (!status) return;
  row.rss_mib = status_mib(*status, "VmRSS:");
  row.peak_mib = status_mib(*status, "VmHWM:");
  const auto age = static_cast<std::int64_t>(row.cycles + options.warm_up) * options.interval;
  row.hour_mib = row.rss_mib + history_mib(row.servers, options.interval, monitord::History::span) -
                 history_mib(row.servers, options.interval, age);
}

/// Nobody supervises this one.
void forget_supervisor() {
  for (const auto* const name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
    ::unsetenv(name);
}

tl::unexpected<std::string> failed(std::string why) {
  return tl::make_unexpected(std::move(why));
}

/// The daemon from its start until enough was measured.
tl::expected<ScaleRow, std::string> run_daemon(std::size_t servers,
                                               const testing::ScratchFolder& folder,
                                               monitord::Configuration configuration,
                                               const ScaleOptions& options) {
  MovingTable table(loopback_table(servers), thread_cpu_s);
  monitord::BackgroundWorker worker;
  monitord::StateJournal journal(
      folder.file("state.journal"), monitord::boot_id(),
      [&worker](std::function<void()> work) { worker.run(std::move(work)); });
  auto memory = journal.open();
  if (!memory) return failed(memory.error());
  ScaleWindow window({options.seconds, options.warm_up, options.interval},
                     [&table] { return table.spent_s(); });
  bool is_full = false;
  boost::asio::io_context io(1);
  std::optional<monitord::Daemon> daemon;
  monitord::Daemon::Parts parts{
      table, journal, nullptr, monitord::boottime_now, Nonces{}, {}, [] { return true; }};
  parts.cycle_ended = [&](const monitord::CycleTimes& times) {
    is_full = window.take(times, daemon->last_report());
    if (is_full) io.stop();
  };
  monitord::Daemon::Source source;
  source.version = "bench";
  daemon.emplace(io, std::move(source), std::move(configuration), std::move(parts),
                 *std::move(memory));
  daemon->start();
  io.run();
  if (!is_full) return failed("it was ended before enough was measured");
  auto row = window.row(servers);
  add_memory(row, options);
  return row;
}

/// Ends the reader; empty: it was served.
std::string end_of(std::optional<Child>& reader) {
  if (!reader) return {};
  reader->end();
  const auto answer = reader->line();
  return answer.find(" 200 ") != std::string::npos
             ? ""
             : fmt::format("the slow reader was not served: \"{}\"", answer);
}

}  // namespace

tl::expected<ScaleRow, std::string> measured_scale(std::size_t servers,
                                                   const ScaleOptions& options) {
  forget_supervisor();
  auto responder = Child::start({options.responder, "--servers", std::to_string(servers), "--swing",
                                 std::to_string(options.swing)});
  if (!responder) return failed(responder.error());
  const auto line = responder->line();
  std::uint16_t agent_port = 0;
  std::from_chars(line.data(), line.data() + line.size(), agent_port);
  const auto page_port = free_port();
  if (agent_port == 0 || page_port == 0) return failed("the responder or a port is missing");
  std::optional<Child> reader;
  if (options.reader_bytes > 0) {
    auto started = Child::start({own_path(), "--read", std::to_string(page_port), "--read-bytes",
                                 std::to_string(options.reader_bytes)});
    if (!started) return failed(started.error());
    reader = *std::move(started);
  }
  const testing::ScratchFolder folder;
  auto row = [&] {
    const QuietStderr quiet;
    monitord::set_up_log(options.log_level);
    return run_daemon(servers, folder, configuration_for(folder, agent_port, page_port, options),
                      options);
  }();
  if (auto problem = end_of(reader); row && !problem.empty()) return failed(std::move(problem));
  return row;
}

}  // namespace lvs::bench
